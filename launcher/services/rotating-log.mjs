import { appendFileSync, renameSync, statSync } from 'node:fs';

const MAX_BYTES = 10_000_000;

/**
 * Appends lines to a file that is renamed to `.1` at 10 MB. Losing a line to a full disk is no reason to stop.
 * @param {string} path
 * @returns {(line: string) => void}
 */
export function rotatingLog(path) {
  return (line) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`);
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch {
      // Only this very log could report it.
    }
  };
}
