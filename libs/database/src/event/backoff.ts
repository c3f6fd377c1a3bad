import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 25;
const MAX_MS = 1_000;

/** Waits between attempts while a server is away: 25 ms, doubling to one second, with jitter. Ends early on `abort`. */
export class Backoff {
  private nextMs = FIRST_MS;

  constructor(private readonly abort: AbortSignal) {}

  async wait(): Promise<void> {
    const ms = this.nextMs * (0.75 + Math.random() / 2);
    this.nextMs = Math.min(this.nextMs * 2, MAX_MS);
    await sleep(ms, undefined, { signal: this.abort }).catch(() => undefined);
  }
}
