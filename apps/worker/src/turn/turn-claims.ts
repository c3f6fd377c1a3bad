import type { ClaimedTurn, TurnClaimRepository, TurnSettlementRepository, WorkerLife } from '@chirality/database';
import type { Messaging } from '@chirality/messaging';
import type { SandboxWatch } from '../sandbox/sandbox-watch';

/** Which turns are this worker's. */
export class TurnClaims {
  constructor(
    private readonly worker: WorkerLife,
    private readonly claims: Pick<TurnClaimRepository, 'claimNext'>,
    private readonly settlements: Pick<TurnSettlementRepository, 'failBroken'>,
    private readonly sandbox: Pick<SandboxWatch, 'isProven'>,
    private readonly messaging: Pick<Messaging, 'turns'>,
  ) {}

  /** Takes the next turn in the queue; null when there is none, or the sandbox is not proven. */
  async next(): Promise<ClaimedTurn | null> {
    return this.sandbox.isProven ? this.claims.claimNext(this.worker) : null;
  }

  /** Gives a turn whose execution broke off its end, so that it does not look as if it ran. */
  async failBroken(turnId: string): Promise<void> {
    await this.settlements.failBroken({ turnId, workerId: this.worker.id });
  }

  /**
   * A turn is over, its state is stored, and no slot is free here: what waits in its session may be another worker's.
   */
  handOver(turnId: string): void {
    void this.messaging.turns.wakeAll(turnId);
  }
}
