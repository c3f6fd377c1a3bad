import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, isRunning, signalProcess } from './process-table';

const GIVE_UP_MS = 2_000;

/**
 * Kills everything below `root` but the processes `spare`, again and again until two looks in a row find nothing,
 * because a process may fork between the look and the signal. False when that did not come within two seconds.
 */
export async function killStraysBelow(root: number, spare: readonly number[]): Promise<boolean> {
  const deadline = performance.now() + GIVE_UP_MS;
  for (let clean = 0; performance.now() < deadline;) {
    const strays = descendantsOf(root).filter((entry) => !spare.includes(entry.pid) && isRunning(entry));
    for (const stray of strays) signalProcess(stray, 'SIGKILL');
    clean = strays.length === 0 ? clean + 1 : 0;
    if (clean === 2) return true;
    await delay(5);
  }
  return false;
}
