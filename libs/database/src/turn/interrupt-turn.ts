import type { Originator } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import type { EventLogWriter } from '../event/event-log-writer';
import type { TurnRow } from '../generated/rows';
import { settleTurn } from './settle-turn';

export interface InterruptRequest {
  turnId: string;
  userId: string;
  originator: Originator;
}

export type InterruptOutcome =
  /** It was queued and has ended, with its `turn:end`. */
  | { outcome: 'cancelled' }
  /** The row says so now; notify this worker, which also polls its rows. */
  | { outcome: 'requested'; sessionId: string; workerId: string | null }
  | { outcome: 'already_final' };

/**
 * Safe to repeat, at every moment of a turn: the first one's time and person stay. Also `already_final` for an unknown
 * id.
 */
export async function requestInterrupt(
  pool: Tx,
  log: Pick<EventLogWriter, 'append'>,
  request: InterruptRequest,
): Promise<InterruptOutcome> {
  for (;;) {
    const { rows } = await pool.query<Pick<TurnRow, 'session_id' | 'status' | 'attempt' | 'fence' | 'worker_id'>>(
      `UPDATE turn SET interrupt_requested_at = coalesce(interrupt_requested_at, now()),
        interrupted_by_id = coalesce(interrupted_by_id, $2)
       WHERE id = $1 AND active_session_id IS NOT NULL RETURNING session_id, status, attempt, fence, worker_id`,
      [request.turnId, request.userId],
    );
    const row = rows[0];
    if (!row) return { outcome: 'already_final' };
    if (row.status !== 'queued') return { outcome: 'requested', sessionId: row.session_id, workerId: row.worker_id };
    const settled = await settleTurn(log, {
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
