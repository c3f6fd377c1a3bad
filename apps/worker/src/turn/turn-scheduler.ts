import type { ClaimedTurn } from '@chirality/database';
import type { Logger } from '@chirality/platform';

export interface RunningTurn {
  readonly turnId: string;
  readonly sessionId: string;
  /** A turn that waits for a person, or is settled and only being stored, gives its slot back. */
  readonly isAtRest: boolean;
  run(): Promise<void>;
  requestInterrupt(): void;
  /** Its author may no longer send turns in its session. */
  forbid(): void;
  lookAtPermissions(): void;
  shutDown(): void;
  /** The lease is gone: end the process, write nothing more. */
  abandon(): void;
}

/**
 * Takes turns while there are free slots. A wake-up only says "look": the claim in Postgres chooses the row, so a lost,
 * doubled or late wake-up changes nothing.
 */
export class TurnScheduler {
  private readonly running = new Map<string, RunningTurn>();
  private claiming = false;
  private claimAgain = false;
  private stopped = false;
  /** Whether a turn may wait that nothing will name again: when a slot is free, or something else has changed, look. */
  private mayHavePassedOver = true;
  private readonly idle: (() => void)[] = [];
  /** Turns that were interrupted before their claim came back. */
  private readonly interruptedEarly = new Set<string>();

  constructor(
    private readonly options: { slots: number },
    private readonly claim: () => Promise<ClaimedTurn | null>,
    private readonly begin: (claimed: ClaimedTurn, onRestChanged: () => void) => RunningTurn,
    /** Gives a turn whose execution broke off its end, so that it does not look as if it ran. */
    private readonly endBroken: (turnId: string) => Promise<unknown>,
    private readonly log: Logger,
    /** A turn is over, its state is stored, and no slot is free here: what waits in its session may be another worker's. */
    private readonly handOver: (turnId: string) => void = () => undefined,
  ) {}

  get runningCount(): number {
    return this.running.size;
  }

  turns(): RunningTurn[] {
    return [...this.running.values()];
  }

  find(turnId: string): RunningTurn | undefined {
    return this.running.get(turnId);
  }

  /** Interrupts a turn that runs here, or that a claim under way will bring. */
  interrupt(turnId: string): void {
    const turn = this.running.get(turnId);
    if (turn) turn.requestInterrupt();
    else if (this.claiming) this.interruptedEarly.add(turnId);
  }

  hasFreeSlot(): boolean {
    return !this.stopped && this.load < 1;
  }

  /** The share of the slots that is taken. */
  get load(): number {
    return this.turns().filter((turn) => !turn.isAtRest).length / this.options.slots;
  }

  /** Claims as many turns as there are free slots. Calls that overlap are joined into one more look. */
  async wake(): Promise<void> {
    if (this.claiming) {
      this.claimAgain = true;
      return;
    }
    this.claiming = true;
    try {
      do {
        this.claimAgain = false;
        await this.claimUntilFull();
      } while (this.claimAgain && this.hasFreeSlot());
      if (this.claimAgain) this.mayHavePassedOver = true;
    } finally {
      this.claiming = false;
      this.interruptedEarly.clear();
    }
  }

  /** Takes no more turns; resolves when none is left. */
  async drain(): Promise<void> {
    this.stopped = true;
    if (this.running.size === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private async claimUntilFull(): Promise<void> {
    while (this.hasFreeSlot()) {
      const claimed = await this.claim().catch((error: Error) => {
        this.log.warn({ err: error }, 'turn.claim_failed');
        return null;
      });
      this.mayHavePassedOver = claimed?.othersQueued ?? true;
      if (!claimed) return;
      this.start(claimed);
      // What is queued from now on brings its own wake-up.
      if (!claimed.othersQueued) return;
    }
    this.mayHavePassedOver = true;
  }

  private slotIsFree(): void {
    if (this.mayHavePassedOver) void this.wake();
  }

  private start(claimed: ClaimedTurn): void {
    const turn = this.begin(claimed, () => this.slotIsFree());
    this.running.set(turn.turnId, turn);
    if (this.interruptedEarly.delete(turn.turnId)) turn.requestInterrupt();
    void turn
      .run()
      .catch((error: Error) => {
        this.log.error({ err: error, turn: turn.turnId }, 'turn.crashed');
        return this.endBroken(turn.turnId);
      })
      .catch((error: Error) => this.log.error({ err: error, turn: turn.turnId }, 'turn.not_settled'))
      .finally(() => {
        this.running.delete(turn.turnId);
        if (this.running.size === 0) for (const resolve of this.idle.splice(0)) resolve();
        if (!turn.isAtRest) this.slotIsFree();
        if (!this.hasFreeSlot()) this.handOver(turn.turnId);
      });
  }
}
