/** What people and agents know by these names: the inside of a sandbox, and directories that every system has. */
const KNOWN_ROOTS =
  /^\/(?:workspace|config|usr|bin|sbin|lib\w*|etc|proc|dev|sys|opt\/claude|home\/agent|run\/(?:model|egress)\.sock|v1|docs|health|metrics)(?=\/|$)/;
/** An absolute path of at least two parts that is no part of a URL, a relative path or a regular expression. */
const ABSOLUTE_PATH = /(?<![\w.:/~\\*)\]}@-])\/[\w.@+,=-]+(?:\/[\w.@+,=-]+)+\/?/g;

/**
 * The text without paths of the machine that the service runs on, each replaced by `«path»`: where a server keeps its
 * files helps those who use it in no way, and others too much. Paths inside a sandbox stay as they are, and so do routes.
 */
export function withoutHostPaths(text: string): string {
  return text.replace(ABSOLUTE_PATH, (path) => (KNOWN_ROOTS.test(path) ? path : '«path»'));
}
