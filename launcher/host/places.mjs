import { createHash } from 'node:crypto';
import { accessSync, chmodSync, chownSync, constants, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { CHECKOUT } from './checkout.mjs';
import { ownHome } from './home.mjs';
import { firstOutOfReach } from './identity.mjs';
import { codeOf } from '../text/errors.mjs';
import { Sentence } from '../text/sentence.mjs';

/** @typedef {{ path: string, temporary: boolean }} RunDir */

/** Unix socket addresses end at 108 bytes; the longest name inside the directory needs the rest. */
const RUN_DIR_MAX_BYTES = 64;

/** Where a checkout that the serving id cannot reach is run from, and keeps its data. */
export function ownPlace() {
  const key = createHash('sha256').update(CHECKOUT).digest('hex').slice(0, 8);
  return join('/var/lib/chirality', `${basename(CHECKOUT).slice(0, 12)}-${key}`);
}

/**
 * The data directory: what the person asked for, else beside the code, else (a checkout that cannot be written) one of
 * the user's own.
 * @param {NodeJS.ProcessEnv} env
 * @param {{ runtimeIsCopy: boolean }} runtime
 */
export function chooseDataDir(env, { runtimeIsCopy }) {
  if (env.CHIRALITY_DATA_DIR) return resolve(CHECKOUT, env.CHIRALITY_DATA_DIR);
  if (runtimeIsCopy) return join(ownPlace(), 'data');
  if (isWritable(CHECKOUT)) return join(CHECKOUT, '.chirality');
  const home = env.HOME || ownHome();
  const shared = env.XDG_DATA_HOME || (home === null ? null : join(home, '.local', 'share'));
  if (shared === null)
    throw new Sentence(
      `${CHECKOUT} cannot be written, and you have no home directory: name a data directory in CHIRALITY_DATA_DIR.`,
    );
  return join(shared, 'chirality');
}

/** @param {string} path */
function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes the data directory for the one who serves, readable for no other user.
 * @param {string} path
 * @param {import('./identity.mjs').Identity} identity
 */
export function makeDataDir(path, identity) {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const { uid } = statSync(path);
    if (identity.foreign && uid === 0) chownSync(path, identity.uid, identity.gid);
    else if (identity.uid !== null && uid !== identity.uid) {
      throw new Sentence(
        `The data directory ${path} belongs to user id ${uid}, and Chirality would run as ${identity.uid}: start it as that user, or hand the directory over with chown -R ${identity.uid} ${path}.`,
      );
    }
    chmodSync(path, 0o700);
    const barrier = firstOutOfReach(identity, [
      ['x', path],
      ['w', path],
    ]);
    if (barrier !== null)
      throw new Sentence(
        `User id ${identity.uid}, which runs the service because root must not, cannot reach the data directory ${path}: name another in CHIRALITY_DATA_DIR.`,
      );
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof Sentence || code === 'ENOSPC') throw error;
    throw new Sentence(`The data directory ${path} cannot be made (${code}): name another in CHIRALITY_DATA_DIR.`);
  }
}

/**
 * A private directory that is short enough for sockets, empty: in the data directory, or else a new one for temporary
 * files. Called by the holder of the data directory's lock, so that what is in it was left by a killed start.
 * @param {string} dataDir
 * @returns {RunDir}
 */
export function makeRunDir(dataDir) {
  const beside = join(dataDir, 'run');
  if (Buffer.byteLength(beside) <= RUN_DIR_MAX_BYTES) {
    rmSync(beside, { recursive: true, force: true });
    mkdirSync(beside, { recursive: true, mode: 0o700 });
    return { path: beside, temporary: false };
  }
  return { path: mkdtempSync(join(tmpdir(), 'chirality-')), temporary: true };
}
