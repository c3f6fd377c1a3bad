import { SYSTEM } from '@chirality/contracts';
import { RIGHTS_ENDED } from '@chirality/domain';
import type { Database } from '../connection/database';
import type { EventLogWriter } from '../event/event-log-writer';
import type { TurnRow } from '../generated/rows';
import { mayNotWorkSql } from '../session/may-not-work';
import { TurnSettlementRepository } from './turn-settlement.repository';

const LIVE = `FROM turn t JOIN session s ON s.id = t.session_id WHERE t.active_session_id IS NOT NULL
  AND ${mayNotWorkSql('s', 't.author_id')}`;

/** Turns whose authors may not send any in their sessions as of now. */
export class ForbiddenTurnRepository {
  private readonly settlements: TurnSettlementRepository;

  constructor(
    private readonly database: Pick<Database, 'pool'>,
    log: Pick<EventLogWriter, 'append'>,
  ) {
    this.settlements = new TurnSettlementRepository(database, log);
  }

  /** Those that this worker has begun. */
  async list(workerId: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<Pick<TurnRow, 'id'>>({
      name: 'forbidden_turns',
      text: `SELECT t.id ${LIVE} AND t.worker_id = $1 AND t.status <> 'queued'`,
      values: [workerId],
    });
    return rows.map(({ id }) => id);
  }

  /** Ends the queued ones, and answers which. One that a worker claims meanwhile is that worker's to end. */
  async cancel(): Promise<string[]> {
    const { rows } = await this.database.pool.query<Pick<TurnRow, 'id' | 'session_id' | 'attempt' | 'fence'>>({
      name: 'forbidden_queued_turns',
      text: `SELECT t.id, t.session_id, t.attempt, t.fence ${LIVE} AND t.status = 'queued'`,
    });
    const ended = await Promise.all(
      rows.map(({ id, session_id: sessionId, attempt, fence }) =>
        this.settlements.settle({
          sessionId,
          turnId: id,
          from: 'queued',
          cause: 'cancel',
          attempt,
          fence: BigInt(fence),
          fenced: false,
          set: { error: RIGHTS_ENDED },
          events: [
            { kind: 'session:error', turn: id, originator: SYSTEM, payload: { ...RIGHTS_ENDED, retryable: false } },
          ],
        }),
      ),
    );
    return rows.filter((_, index) => ended[index]?.appended).map(({ id }) => id);
  }
}
