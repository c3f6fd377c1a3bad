import { chownSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { codeOf } from '../text/errors.mjs';

/**
 * @typedef {object} LockHolder What the one who took a lock wrote there.
 * @property {number} pid
 * @property {string | null} [startTime]
 * @property {string} [address] where the service that holds a data directory is reached
 */

/**
 * Takes the lock of a data directory. Returns `{ release }`, or `{ holder }` with what a living holder wrote there. A
 * lock whose holder died is taken over: it is renamed away first, and put back if it was another's fresh one after all.
 * It belongs to `owner`, who may be another than the one who takes it.
 * @param {string} path
 * @param {object} about
 * @param {import('./identity.mjs').Owner} owner
 * @returns {{ release: () => void, holder?: undefined } | { holder: LockHolder, release?: undefined }}
 */
export function takeLock(path, about, owner) {
  const mine = JSON.stringify({ ...about, pid: process.pid, startTime: startTimeOf(process.pid) });
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o600 });
      if (owner.foreign) chownSync(path, owner.uid, owner.gid);
      return { release: () => releaseIfMine(path, mine) };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const holder = readHolder(path);
    if (holder !== null && isAlive(holder)) return { holder };
    removeStale(path, holder);
  }
  throw new Error(`${path} changes hands too fast`);
}

/**
 * What a living holder wrote into the lock, or null.
 * @param {string} path
 */
export function lockHolder(path) {
  const holder = readHolder(path);
  return holder !== null && isAlive(holder) ? holder : null;
}

/**
 * @param {string} path
 * @returns {LockHolder | null}
 */
function readHolder(path) {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8'));
    return typeof holder.pid === 'number' ? holder : null;
  } catch {
    return null;
  }
}

/** @param {LockHolder} holder */
function isAlive({ pid, startTime }) {
  const now = startTimeOf(pid);
  if (now !== null || process.platform === 'linux') return now !== null && now === startTime;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * @param {string} path
 * @param {LockHolder | null} stale
 */
function removeStale(path, stale) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    const moved = readHolder(aside);
    if (moved !== null && moved.pid !== stale?.pid)
      writeFileSync(path, JSON.stringify(moved), { flag: 'wx', mode: 0o600 });
    unlinkSync(aside);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
}

/**
 * @param {string} path
 * @param {string} mine
 */
function releaseIfMine(path, mine) {
  try {
    if (readFileSync(path, 'utf8') === mine) unlinkSync(path);
  } catch {
    // It was removed; there is nothing to release.
  }
}

/**
 * Tells a process from a later one with the same pid; null where the system does not say, and for one that was killed
 * but not collected by its parent, which in a container without an init can stay in the process table for good.
 * @param {number} pid
 */
export function startTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
