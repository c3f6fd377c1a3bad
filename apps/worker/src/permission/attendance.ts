/** How often is looked at most and at least, whatever the limit. */
const LOOK_EVERY_MS = { least: 100, most: 5_000 };

export interface AttendancePorts {
  /** How many people are there who may answer. */
  count(): Promise<number>;
  /** For at least the limit nobody was there. Called again with each look as long as that stays so. */
  onAbsent(): void;
}

/**
 * Watches, while something waits for an answer, whether anybody is there to give one. What cannot be found out counts as
 * presence: a database that is away is no reason to deny.
 */
export class Attendance {
  private timer: NodeJS.Timeout | null = null;
  private aloneSinceMs: number | null = null;
  private looking = false;

  constructor(
    private readonly ports: AttendancePorts,
    private readonly limitMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Something waits. Safe to repeat. */
  begin(): void {
    if (this.timer) return;
    const everyMs = Math.max(LOOK_EVERY_MS.least, Math.min(LOOK_EVERY_MS.most, this.limitMs / 10));
    this.timer = setInterval(() => void this.look(), everyMs);
    void this.look();
  }

  /** Nothing waits any more. */
  end(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.aloneSinceMs = null;
  }

  async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    const people = await this.ports.count().catch(() => null);
    this.looking = false;
    if (this.timer === null) return;
    if (people !== 0) {
      this.aloneSinceMs = null;
      return;
    }
    this.aloneSinceMs ??= this.now();
    if (this.now() - this.aloneSinceMs >= this.limitMs) this.ports.onAbsent();
  }
}
