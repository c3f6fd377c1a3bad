import type { Logger } from '@chirality/platform';

const MAX_LINES = 50;

/** Logs the first lines of a kind and counts the rest: what a program writes must not fill the log of the service. */
export class BoundedLog {
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly most = MAX_LINES,
  ) {}

  warn(facts: Record<string, unknown>, message: string): void {
    const count = (this.counts.get(message) ?? 0) + 1;
    this.counts.set(message, count);
    if (count <= this.most) this.log.warn(facts, message);
  }

  /** Says how much was left out. */
  end(): void {
    for (const [message, count] of this.counts)
      if (count > this.most) this.log.warn({ leftOut: count - this.most }, message);
    this.counts.clear();
  }
}
