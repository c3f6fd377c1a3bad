import { setTimeout as sleep } from 'node:timers/promises';
import type { ManagedProcess } from './managed-process';

/** As `npm start` does it. */
const BACK_OFF_MS = [200, 500, 1_000, 2_000, 5_000];
const STEADY_MS = 60_000;

/** A process that is started again, with a growing pause, whenever it exits. */
export class SupervisedProcess {
  current: ManagedProcess;
  /** How its lives ended, one after the other. */
  readonly exits: { code: number | null; signal: NodeJS.Signals | null }[] = [];
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(private readonly launch: () => ManagedProcess) {
    this.current = launch();
    this.running = this.keepRunning();
  }

  /** Kills this life; the next one begins automatically. */
  kill(signal: NodeJS.Signals): void {
    this.current.kill(signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.current.stop();
    await this.running;
  }

  private async keepRunning(): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      const startedAt = performance.now();
      this.exits.push(await this.current.exited);
      if (performance.now() - startedAt > STEADY_MS) failures = 0;
      await sleep(BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)], undefined, {
        signal: this.stopping.signal,
      }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      this.current = this.launch();
    }
  }
}
