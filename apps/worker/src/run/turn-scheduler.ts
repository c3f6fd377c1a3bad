import type { ClaimedTurn } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { RunningTurn } from '../turn/running-turn';
import type { TurnClaims } from '../turn/turn-claims';
import type { TurnRunner } from './turn-runner';

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
    private readonly slots: number,
    private readonly claims: Pick<TurnClaims, 'next' | 'failBroken' | 'handOver'>,
    private readonly runner: Pick<TurnRunner, 'begin'>,
    private readonly log: Logger,
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
    return this.turns().filter((turn) => !turn.isAtRest).length / this.slots;
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
      const claimed = await this.claims.next().catch((error: Error) => {
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
    const turn = this.runner.begin(claimed, () => this.slotIsFree());
    this.running.set(turn.turnId, turn);
    if (this.interruptedEarly.delete(turn.turnId)) turn.requestInterrupt();
    void turn
      .run()
      .catch((error: Error) => {
        this.log.error({ err: error, turn: turn.turnId }, 'turn.crashed');
        return this.claims.failBroken(turn.turnId);
      })
      .catch((error: Error) => this.log.error({ err: error, turn: turn.turnId }, 'turn.not_settled'))
      .finally(() => {
        this.running.delete(turn.turnId);
        if (this.running.size === 0) for (const resolve of this.idle.splice(0)) resolve();
        if (!turn.isAtRest) this.slotIsFree();
        if (!this.hasFreeSlot()) this.claims.handOver(turn.turnId);
      });
  }
}
