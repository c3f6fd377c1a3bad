import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build, generate } from './build.mjs';
import { CHECKOUT } from '../host/checkout.mjs';
import { installDependencies } from './install.mjs';
import { takeLock } from '../host/lock.mjs';
import { codeOf } from '../text/errors.mjs';
import { say, step } from '../text/progress.mjs';

const POLL_MS = 200;

/** Installs and builds what is missing or old. */
export function prepareCheckout() {
  return prepareCheckoutAnd(() => Promise.resolve());
}

/**
 * Installs and builds what is missing or old, then acts. One process at a time in a checkout: two installs at once
 * break each other, and so do two copies.
 * @template T
 * @param {() => Promise<T>} act
 */
export function prepareCheckoutAnd(act) {
  return oneAtATime(join(CHECKOUT, '.build'), async () => {
    await step('Dependencies installed', installDependencies);
    await step('Database client generated', generate);
    await step('Programs built', build);
    return act();
  });
}

/**
 * Acts as the only process that does so in that directory; waits for another one and says for which.
 * @template T
 * @param {string} directory
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function oneAtATime(directory, act) {
  const lock = await takeInTurn(directory);
  try {
    return await act();
  } finally {
    lock?.release();
  }
}

/**
 * @param {string} directory
 * @returns {Promise<{ release: () => void } | null>}
 */
async function takeInTurn(directory) {
  const path = join(directory, 'preparing.json');
  for (let announced = 0; ; await sleep(POLL_MS)) {
    const lock = tryToTake(directory, path);
    if (lock?.release) return lock;
    if (!lock) return null;
    const { holder } = lock;
    if (holder.pid !== announced)
      say(`  … Process ${holder.pid} is installing or building here: waiting until it is done`);
    announced = holder.pid;
  }
}

/**
 * Where nothing can be written, nothing can be installed or built either, so there is no need to wait.
 * @param {string} directory
 * @param {string} path
 */
function tryToTake(directory, path) {
  try {
    mkdirSync(directory, { recursive: true });
    return takeLock(path, {}, { foreign: false });
  } catch (error) {
    if (['EACCES', 'EROFS'].includes(codeOf(error) ?? '')) return null;
    throw error;
  }
}
