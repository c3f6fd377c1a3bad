import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again, every few milliseconds, until `condition` holds; rejects with `what` when the time is up. What it throws
 * ends the wait.
 */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  options: { what: string; timeoutMs?: number; everyMs?: number },
): Promise<void> {
  const deadline = performance.now() + (options.timeoutMs ?? 10_000);
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${options.timeoutMs ?? 10_000} ms: ${options.what}`);
    await sleep(options.everyMs ?? 10);
  }
}
