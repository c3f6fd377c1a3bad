import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, readProcesses, signalProcess, type ProcessEntry } from './process-table';

const GIVE_UP_MS = 5_000;

/**
 * Kills every process of this user whose command line or environment, as it was started with, has the entry `mark`, and
 * waits until they are gone. Returns how many there were, and whether all of them went within five seconds.
 *
 * Needed because a sandbox dies with its worker only from the moment on in which bubblewrap and its init have asked the
 * kernel for that: of a worker that dies within the milliseconds before, an init stays behind that waits for its parent
 * for ever, holding the session's lock (seen with bubblewrap 0.8).
 */
export async function killOrphans(
  mark: string,
  place: 'cmdline' | 'environ',
): Promise<{ count: number; gone: boolean }> {
  const deadline = performance.now() + GIVE_UP_MS;
  const seen = new Set<string>();
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 50)) {
    const left = readProcesses().filter(
      (entry) => isRunning(entry) && entry.pid !== process.pid && carries(entry, mark, place),
    );
    if (left.length === 0) return { count: seen.size, gone: true };
    if (performance.now() >= deadline) return { count: seen.size, gone: false };
    for (const entry of left) {
      seen.add(`${entry.pid} ${entry.startTime}`);
      signalProcess(entry, 'SIGKILL');
    }
    await delay(waitMs);
  }
}

function carries({ pid }: ProcessEntry, mark: string, place: 'cmdline' | 'environ'): boolean {
  try {
    return readFileSync(`/proc/${pid}/${place}`, 'utf8').split('\0').includes(mark);
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}
