import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { EXIT } from '../program/exit-code';
import { Failure } from '../program/failure';

const MAX_BYTES = 16_384;

/** The token in a file that only its owner can read, and no one can write: mode 0400. */
export function readTokenFile(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    throw new Failure(EXIT.usage, `${path} cannot be read.`);
  }
  try {
    const { mode, size } = fstatSync(file);
    const extra = mode & 0o7377;
    if (extra !== 0) {
      const shown = (mode & 0o7777).toString(8).padStart(4, '0');
      throw new Failure(
        EXIT.usage,
        `${path} has mode ${shown}, and others may get at its token. Run chmod 0400 ${path}.`,
      );
    }
    if (size > MAX_BYTES) throw new Failure(EXIT.usage, `${path} is no token.`);
    const token = readFileSync(file, 'utf8').trim();
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Failure(EXIT.usage, `${path} is no token.`);
    return token;
  } finally {
    closeSync(file);
  }
}
