/**
 * Arguments by their flag: `--flag value`, `--flag=value` and `--flag` alone, whose value is null. Null for a list that
 * names a flag twice or holds anything else: it cannot be compared.
 */
export function argumentsByFlag(args: readonly string[]): Map<string, string | null> | null {
  const flags = new Map<string, string | null>();
  for (let at = 0; at < args.length; at += 1) {
    const [, flag = '', value] = /^(--?[A-Za-z][\w-]*)(?:=([^]*))?$/.exec(args[at] ?? '') ?? [];
    if (flag === '' || flags.has(flag)) return null;
    const next = args[at + 1];
    if (value !== undefined || next === undefined || next.startsWith('-')) flags.set(flag, value ?? null);
    else {
      flags.set(flag, next);
      at += 1;
    }
  }
  return flags;
}
