import { every, joined } from '@chirality/platform';

/** How often is looked at most and at least, whatever the limit. */
const LOOK_EVERY_MS = { least: 100, most: 5_000 };

interface PresencePorts {
  /** How many people are there who may answer. */
  count(): Promise<number>;
  /** People came, or the last of them left. */
  onChange(isAlone: boolean): void;
  /** With each look, whatever it finds. */
  onLook(): void;
  /** No one was present for at least the limit. Called again with each look as long as that stays so. */
  onAbsent(): void;
}

/**
 * Watches, while something waits for an answer, whether anyone is present to give one. What cannot be found out counts
 * as presence: a database that is away is no reason to deny.
 */
export class PresenceWatch {
  private stopLooking: (() => void) | null = null;
  private aloneSinceMs: number | null = null;
  private wasAlone = false;

  constructor(
    private readonly ports: PresencePorts,
    private readonly limitMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether no one is present right now. */
  async isAlone(): Promise<boolean> {
    return (await this.ports.count().catch(() => null)) === 0;
  }

  /** Something waits; `isAlone`: no one is present. Safe to repeat. */
  begin(isAlone: boolean): void {
    if (this.stopLooking) return;
    this.wasAlone = isAlone;
    const everyMs = Math.max(LOOK_EVERY_MS.least, Math.min(LOOK_EVERY_MS.most, this.limitMs / 10));
    this.stopLooking = every(everyMs, this.look);
    void this.look();
  }

  /** Nothing waits now. */
  end(): void {
    this.stopLooking?.();
    this.stopLooking = null;
    this.aloneSinceMs = null;
  }

  readonly look = joined(async () => {
    const people = await this.ports.count().catch(() => null);
    if (this.stopLooking === null) return;
    this.ports.onLook();
    if (this.wasAlone !== (people === 0)) {
      this.wasAlone = people === 0;
      this.ports.onChange(this.wasAlone);
    }
    if (people !== 0) {
      this.aloneSinceMs = null;
      return;
    }
    this.aloneSinceMs ??= this.now();
    if (this.now() - this.aloneSinceMs >= this.limitMs) this.ports.onAbsent();
  });
}
