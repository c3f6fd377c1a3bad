import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../text/errors.mjs';

export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** @returns {string} */
export function version() {
  return JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')).version;
}

/**
 * A hash of the names and contents of all files under these paths; what is missing counts as empty.
 * @param {string[]} paths
 * @param {{ skip?: (path: string) => boolean }} [options]
 */
export function hashOf(paths, { skip = () => false } = {}) {
  const hash = createHash('sha256');
  for (const path of paths)
    for (const file of filesUnder(join(CHECKOUT, path), skip))
      hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @param {(path: string) => boolean} skip
 * @returns {Generator<string>}
 */
function* filesUnder(path, skip) {
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') yield path;
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = `${path}${sep}${entry.name}`;
    if (entry.name === 'node_modules' || entry.name === 'dist' || skip(inner)) continue;
    if (entry.isDirectory()) yield* filesUnder(inner, skip);
    else if (entry.isFile()) yield inner;
  }
}
