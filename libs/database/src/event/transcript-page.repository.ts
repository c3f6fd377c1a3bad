import type { Envelope } from '@chirality/contracts';
import { normalizeMoney, SESSION_FACT_KINDS } from '@chirality/domain';
import type { Tx } from '../connection/database';
import type { EventRow, TurnRow } from '../generated/rows';
import { envelopeFromRow, type LoggedRow } from './event.repository';

/** How much of a log one page of a transcript is made of, unless one turn alone is more. */
export interface PageBudget {
  events: number;
  /** Of payloads. */
  bytes: number;
}

interface SpentBefore {
  costUsd: string;
  unpricedMessages: number;
}

const COLUMNS = 'id, kind, turn_id, originator, ts, payload';
/** Each kind stands in the text: a parameter would keep the planner from the index of these kinds. */
const FACTS_SQL = [
  ...SESSION_FACT_KINDS.latest.map(
    (kind) =>
      `(SELECT ${COLUMNS} FROM event WHERE session_id = $1 AND id < $2 AND kind = '${kind}' ORDER BY id DESC LIMIT 1)`,
  ),
  ...SESSION_FACT_KINDS.all.map(
    (kind) => `(SELECT ${COLUMNS} FROM event WHERE session_id = $1 AND id < $2 AND kind = '${kind}')`,
  ),
]
  .join(' UNION ALL ')
  .concat(' ORDER BY id');

/** Where the pages of a session's transcript begin, and what the log before one says of the whole session. */
export class TranscriptPageRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /**
   * The event that the page begins with whose last event is right before `end`: the earliest `turn:queued` within the
   * budget, else that of the last turn; 1 where no turn is left out. Reads no more rows than the page has.
   */
  async findBegin(sessionId: string, end: number, { events, bytes }: PageBudget): Promise<number> {
    const { rows } = await this.database.pool.query<{ least: EventRow['id'] | null; begin: EventRow['id'] | null }>({
      name: 'find_page_within_budget',
      text: `SELECT min(id) AS least, min(id) FILTER (WHERE kind = 'turn:queued') AS begin FROM (
          SELECT id, kind, sum(octet_length(payload)) OVER (ORDER BY id DESC) AS bytes FROM (
            SELECT id, kind, payload FROM event WHERE session_id = $1 AND id < $2
              ORDER BY id DESC LIMIT $3) newest) page
        WHERE bytes <= $4`,
      values: [sessionId, end, events, bytes],
    });
    const { least, begin } = rows[0]!;
    if (least !== null && Number(least) <= 1) return 1;
    if (begin !== null) return Number(begin);
    const { rows: turns } = await this.database.pool.query<Pick<EventRow, 'id'>>({
      name: 'find_begin_of_last_turn',
      text: `SELECT id FROM event WHERE session_id = $1 AND id < $2 AND kind = 'turn:queued' ORDER BY id DESC LIMIT 1`,
      values: [sessionId, end],
    });
    return Number(turns[0]?.id ?? 1);
  }

  /** Whether a turn of the session begins with this event. */
  async isBegin(sessionId: string, eventId: number): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `SELECT 1 FROM event WHERE session_id = $1 AND id = $2 AND kind = 'turn:queued'`,
      [sessionId, eventId],
    );
    return rowCount === 1;
  }

  /** The events before `end` that say something of the whole session, as far as they still count, in order of id. */
  async readFacts(sessionId: string, end: number): Promise<Envelope[]> {
    const { rows } = await this.database.pool.query<LoggedRow>({
      name: 'read_session_facts',
      text: FACTS_SQL,
      values: [sessionId, end],
    });
    return rows.map((row) => envelopeFromRow(sessionId, row));
  }

  /**
   * Verdicts of people, from the event `from`, on calls with an unknown outcome: they follow the turn they are about.
   */
  async readOutcomes(sessionId: string, from: number): Promise<Envelope[]> {
    const { rows } = await this.database.pool.query<LoggedRow>({
      name: 'read_tool_outcomes',
      text: `SELECT ${COLUMNS} FROM event WHERE session_id = $1 AND id >= $2 AND kind = 'tool:outcome' ORDER BY id`,
      values: [sessionId, from],
    });
    return rows.map((row) => envelopeFromRow(sessionId, row));
  }

  /** What the turns have cost that begin before the event `end`. */
  async spentBefore(sessionId: string, end: number): Promise<SpentBefore> {
    const { rows } = await this.database.pool.query<{
      cost: TurnRow['cost_usd'];
      unpriced: TurnRow['unpriced_messages'];
    }>({
      name: 'spent_before_page',
      text: `SELECT coalesce(sum(cost_usd), 0) AS cost, coalesce(sum(unpriced_messages), 0)::int AS unpriced FROM turn
        WHERE session_id = $1
        AND id <> ALL(ARRAY(SELECT turn_id FROM event WHERE session_id = $1 AND id >= $2 AND kind = 'turn:queued'))`,
      values: [sessionId, end],
    });
    return { costUsd: normalizeMoney(rows[0]!.cost), unpricedMessages: rows[0]!.unpriced };
  }
}
