import type { Originator } from '@chirality/contracts';
import type { Database } from '../connection/database';
import type { EventLogWriter } from '../event/event-log-writer';
import type { TurnRow } from '../generated/rows';
import { TurnSettlementRepository } from './turn-settlement.repository';

interface InterruptRequest {
  turnId: string;
  userId: string;
  originator: Originator;
}

type InterruptOutcome =
  /** It was queued and has ended, with its `turn:end`. */
  | { outcome: 'cancelled' }
  /** The row says so now; notify this worker, which also polls its rows. */
  | { outcome: 'requested'; sessionId: string; workerId: string | null }
  | { outcome: 'already_final' };

/** How a person stops a turn. */
export class TurnInterruptRepository {
  private readonly settlements: TurnSettlementRepository;

  constructor(
    private readonly database: Pick<Database, 'pool'>,
    log: Pick<EventLogWriter, 'append'>,
  ) {
    this.settlements = new TurnSettlementRepository(database, log);
  }

  /**
   * Safe to repeat, at every moment of a turn: the first one's time and person stay. Also `already_final` for an
   * unknown id.
   */
  async request(request: InterruptRequest): Promise<InterruptOutcome> {
    for (;;) {
      const { rows } = await this.database.pool.query<
        Pick<TurnRow, 'session_id' | 'status' | 'attempt' | 'fence' | 'worker_id'>
      >(
        `UPDATE turn SET interrupt_requested_at = coalesce(interrupt_requested_at, now()),
          interrupted_by_id = coalesce(interrupted_by_id, $2)
         WHERE id = $1 AND active_session_id IS NOT NULL RETURNING session_id, status, attempt, fence, worker_id`,
        [request.turnId, request.userId],
      );
      const row = rows[0];
      if (!row) return { outcome: 'already_final' };
      if (row.status !== 'queued') return { outcome: 'requested', sessionId: row.session_id, workerId: row.worker_id };
      const settled = await this.settlements.settle({
        sessionId: row.session_id,
        turnId: request.turnId,
        from: 'queued',
        cause: 'cancel',
        attempt: row.attempt,
        fence: BigInt(row.fence),
        fenced: false,
        originator: request.originator,
      });
      // Refused: a worker claimed it meanwhile, and will find the request on the row.
      if (settled.appended) return { outcome: 'cancelled' };
    }
  }
}
