import type { Tx } from '../connection/database';
import type { WorkerLife } from '../worker/lease';
import { claimNextTurn, type ClaimedTurn } from './claim-turn';

/** Claims that many turns ago are long past their start, which is all that their ids are kept for. */
const KNOWN_KEPT = 1_000;

/**
 * The claims of one worker, one after the other. It remembers what it was given, so that a turn whose claim took effect
 * while the answer was lost is given again to the next call, instead of belonging for ever to a worker that does not
 * know.
 */
export class TurnClaimRepository {
  private readonly known: string[] = [];
  /**
   * A claim of this life was not answered, and may take effect at any time: its statement may still be under way. So it
   * is looked for from then on, with every claim.
   */
  private mayHaveLost = false;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly database: { pool: Tx }) {}

  /**
   * The next turn for that worker, or null. Two claimers never get the same one. When it rejects, the turn may be the
   * worker's all the same, and comes with its next call on this repository: so call again soon.
   */
  claimNext(worker: WorkerLife): Promise<ClaimedTurn | null> {
    const claim = this.last.then(async () => {
      const claimed = await claimNextTurn(this.database.pool, worker, {
        known: this.mayHaveLost ? this.known : null,
      }).catch((error: unknown) => {
        this.mayHaveLost = true;
        throw error;
      });
      if (claimed) this.remember(claimed.id);
      return claimed;
    });
    this.last = claim.catch(() => undefined);
    return claim;
  }

  private remember(turnId: string): void {
    this.known.push(turnId);
    if (this.known.length > KNOWN_KEPT) this.known.shift();
  }
}
