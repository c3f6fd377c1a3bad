import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config-error';

const KEY_BYTES = 32;

/** Reads 32 bytes written as hex or base64; anything else is refused without being quoted. */
export function parseSecretKey(variable: string, value: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(value)) {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.length === KEY_BYTES) return bytes;
  }
  throw new ConfigError(`${variable} must be 32 bytes written as hex (64 characters) or base64 (44); make one with: openssl rand -hex 32`);
}

/**
 * The key kept in the data directory, made at the first call. Of several processes that call at once every one gets
 * the same key: the file is written aside and linked into place, which exactly one of them can do.
 */
export function keptSecretKey(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key');
  const existing = readIfThere(path);
  if (existing !== null) return parseSecretKey(path, existing);
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(aside, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(aside);
  }
  return parseSecretKey(path, readFileSync(path, 'utf8').trim());
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
