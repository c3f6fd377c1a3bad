import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../text/errors.mjs';
import { Sentence } from '../text/sentence.mjs';

/**
 * Throws a Sentence when less than that many megabytes are free where `path` is or will be.
 * @param {string} path
 * @param {number} megabytes
 * @param {string} what
 */
export function requireFreeSpace(path, megabytes, what) {
  const free = freeMegabytes(path);
  if (free < megabytes)
    throw new Sentence(
      `Only ${free} MB are free at ${path}, and ${what} needs ${megabytes} MB: free some space and start again.`,
    );
}

/**
 * @param {string} path
 * @returns {number}
 */
export function freeMegabytes(path) {
  for (let at = path; ; at = dirname(at)) {
    try {
      const { bavail, bsize } = statfsSync(at);
      return Math.floor((bavail * bsize) / 1_000_000);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || at === dirname(at)) throw error;
    }
  }
}
