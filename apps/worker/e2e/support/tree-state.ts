import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path, kind and content of all that lies in a directory, with when each was last changed. */
export function stateOfTree(root: string): [path: string, content: string, changedMs: number][] {
  return pathsIn(root).map((path) => {
    const facts = lstatSync(join(root, path));
    const content = facts.isFile()
      ? createHash('sha256')
          .update(readFileSync(join(root, path)))
          .digest('hex')
      : 'no file';
    return [path, content, facts.mtimeMs];
  });
}

/** From now on a process of an ordinary user that tries to write here fails. */
export function forbidWriting(root: string): void {
  setMode(root, (mode) => mode & ~0o222);
}

export function allowWriting(root: string): void {
  setMode(root, (mode) => mode | 0o200);
}

function setMode(root: string, change: (mode: number) => number): void {
  for (const path of ['.', ...pathsIn(root)]) {
    const facts = lstatSync(join(root, path));
    if (!facts.isSymbolicLink()) chmodSync(join(root, path), change(facts.mode & 0o777));
  }
}

function pathsIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
}
