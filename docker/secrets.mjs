// Makes the secrets of an installation once, in the volume that its containers share; what is there is never changed.
import { randomBytes } from 'node:crypto';
import { linkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../launcher/text/errors.mjs';

const directory = process.argv[2] ?? '/secrets';

/**
 * Linked into place, so that of two containers that start at once one wins and both read the same.
 * @param {string} name
 * @param {string} value
 */
function makeOnce(name, value) {
  const path = join(directory, name);
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(aside, value, { mode: 0o444, flag: 'wx', flush: true });
  try {
    linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(aside);
  }
}

makeOnce('secret-key', randomBytes(32).toString('hex'));
makeOnce('postgres-password', randomBytes(24).toString('hex'));
