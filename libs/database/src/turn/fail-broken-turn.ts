import { SYSTEM, type NewEvent } from '@chirality/contracts';
import type { Database } from '../connection/database';
import type { EventLogWriter } from '../event/event-log-writer';
import type { TurnRow } from '../generated/rows';
import { settleTurn } from './settle-turn';

const ERROR = {
  code: 'HARNESS_FAILURE' as const,
  detail:
    'Running this turn broke off inside the worker. What it had written is kept and nothing is run again; send a message to continue.',
};

/**
 * Ends a live turn of that worker whose execution broke off, as failed, whatever state and attempt it had come to.
 * False
 * when it is not live or no longer that worker's: then there is nothing to end. Rejects when Postgres does not answer.
 */
export async function failBrokenTurn(
  database: Pick<Database, 'pool'>,
  log: Pick<EventLogWriter, 'append'>,
  { turnId, workerId }: { turnId: string; workerId: string },
): Promise<boolean> {
  const { rows } = await database.pool.query<Pick<TurnRow, 'session_id' | 'attempt' | 'fence'>>(
    'SELECT session_id, attempt, fence FROM turn WHERE id = $1 AND worker_id = $2 AND active_session_id IS NOT NULL',
    [turnId, workerId],
  );
  const row = rows[0];
  if (!row) return false;
  const error: NewEvent = {
    kind: 'session:error',
    turn: turnId,
    originator: SYSTEM,
    payload: { ...ERROR, retryable: true },
  };
  const exit: NewEvent = {
    kind: 'process:exit',
    turn: turnId,
    originator: SYSTEM,
    payload: { code: null, signal: null, attempt: row.attempt, final: true },
  };
  const result = await settleTurn(log, {
    sessionId: row.session_id,
    turnId,
    cause: 'fail',
    attempt: row.attempt,
    fence: BigInt(row.fence),
    fenced: true,
    set: { error: ERROR },
    events: [error, exit],
  });
  return result.appended;
}
