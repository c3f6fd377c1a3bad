import type { Logger } from '@chirality/platform';
import { rareWarning } from '../core/rare-log';

/** Runs `tick` again and again, one at a time; a failing one is reported and comes again. */
export class ReconcilerLoop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private isHurried = false;
  private readonly failed;

  constructor(
    private readonly tick: () => Promise<unknown>,
    log: Logger,
    private readonly everyMs: number,
  ) {
    this.failed = rareWarning(log, 'reconciler.failed');
  }

  start(): void {
    if (this.stopped) return;
    this.running = this.tick().then(() => undefined, this.failed);
    void this.running.then(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.start(), this.everyMs).unref();
    });
  }

  /** Runs it now, after the one that runs; asked for twice meanwhile, once. */
  hurry(): void {
    clearTimeout(this.timer);
    if (this.isHurried) return;
    this.isHurried = true;
    void this.running.then(() => {
      this.isHurried = false;
      clearTimeout(this.timer);
      this.start();
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
