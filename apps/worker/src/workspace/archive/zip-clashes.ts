import { setImmediate } from 'node:timers/promises';
import { ArchiveFault, quoted } from './zip-names';

interface Placed {
  path: string;
  kind: 'file' | 'directory' | 'symlink';
}

const AT_ONCE = 1_000;

/** The same items; others get their turn between parts of them, because archives list very many. */
export async function* inParts<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (at > 0) await setImmediate();
    yield items.slice(at, at + AT_ONCE);
  }
}

/**
 * Two entries of one name, or a file where others need a directory. Names that differ in capitals are two names. The
 * directories on the way to the entries are limited too: each is looked at once, and is one in the project. Throws
 * ArchiveFault.
 */
export async function refuseClashes(entries: readonly Placed[], maxDirectories: number): Promise<void> {
  const leaves = new Set<string>();
  for (const { path, kind } of entries) {
    if (kind === 'directory') continue;
    if (leaves.has(path)) throw new ArchiveFault('invalid', `${quoted(path)} is in it twice`);
    leaves.add(path);
  }
  const directories = new Set<string>();
  for await (const part of inParts(entries))
    for (const { path, kind } of part) {
      let directory = kind === 'directory' ? path : above(path);
      // What is above a directory that was seen was seen with it.
      for (; directory !== '' && !directories.has(directory); directory = above(directory)) {
        if (leaves.has(directory))
          throw new ArchiveFault('invalid', `${quoted(directory)} is both a file and a directory in it`);
        directories.add(directory);
        if (directories.size > maxDirectories)
          throw new ArchiveFault('tooLarge', 'it holds more folders than a project may have');
      }
    }
}

function above(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
