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
  throw new ConfigError(
    `${variable} must be 32 bytes written as hex (64 characters) or base64 (44); make one with: openssl rand -hex 32`,
  );
}

/** Of 32 random bytes about 30 differ from each other; fewer than this happens to no random key. */
const MIN_DISTINCT_BYTES = 16;

/** The same for a key that seals from now on, which must also look random: what a person made up can be guessed. */
export function parseStrongSecretKey(variable: string, value: string): Buffer {
  const key = parseSecretKey(variable, value);
  const fault = weaknessOf(key, value);
  if (fault === null) return key;
  throw new ConfigError(
    `${variable} is not random (${fault}), so it can be guessed; make one with: openssl rand -hex 32, and list the old one in CHIRALITY_PREVIOUS_SECRET_KEYS if anything was stored with it`,
  );
}

function weaknessOf(key: Buffer, written: string): string | null {
  if (key.every((byte) => byte === key[0])) return 'it is one byte repeated';
  if (new Set(key).size < MIN_DISTINCT_BYTES) return 'it repeats a few bytes';
  if (isSequence(key)) return 'its bytes count up or down';
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'it is text';
  if (!/^[0-9a-f]{64}$/i.test(written) && (/^[a-z/_+-]+=?$/.test(written) || /^[A-Z/_+-]+=?$/.test(written)))
    return 'it is written in words';
  return null;
}

function isSequence(key: Buffer): boolean {
  const step = ((key[1] ?? 0) - (key[0] ?? 0)) & 0xff;
  return key.every((byte, index) => index === 0 || ((byte - (key[index - 1] ?? 0)) & 0xff) === step);
}

/**
 * The key kept in the data directory, made at the first call. Of several processes that call at once every one gets
 * the same key: the file is written aside and linked into place, which exactly one of them can do.
 */
export function keptSecretKey(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key');
  const existing = readIfThere(path);
  if (existing !== null) return parseStrongSecretKey(path, existing);
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
