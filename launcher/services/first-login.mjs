import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the api leaves the first owner's e-mail and random password; it stays until it was printed.
 * @param {string} dataDir
 */
export function firstLoginFile(dataDir) {
  return join(dataDir, 'first-login.json');
}

/**
 * The first sign-in where there is one to print, removed from the disk; else null.
 * @param {string} dataDir
 * @returns {{ email: string, password: string } | null}
 */
export function takeFirstLogin(dataDir) {
  const path = firstLoginFile(dataDir);
  try {
    const { email, password } = JSON.parse(readFileSync(path, 'utf8'));
    rmSync(path);
    return typeof password === 'string' ? { email, password } : null;
  } catch {
    return null;
  }
}
