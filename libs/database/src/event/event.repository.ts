import type { Envelope, EventKind } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import type { EventRow, SessionCursorRow } from '../generated/rows';

/** Of one session, which is known. */
export type LoggedRow = Pick<EventRow, 'id' | 'kind' | 'turn_id' | 'originator' | 'ts' | 'payload'>;

interface EventRange {
  /** Only ids above this. */
  after: number;
  /** Only ids below this. */
  before?: number;
  limit: number;
  /** Only these kinds; without it all. */
  kinds?: EventKind[];
}

/** Reads the log as it was written: the same bytes, envelope by envelope, for every reader. */
export class EventRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /** In order of id, from the first one after `after`. Empty when there is none, also for an unknown session. */
  async readEvents(sessionId: string, { after, before, limit, kinds }: EventRange): Promise<Envelope[]> {
    const { rows } = await this.database.pool.query<LoggedRow>({
      name: 'read_events',
      text: `SELECT id, kind, turn_id, originator, ts, payload FROM event
        WHERE session_id = $1 AND id > $2 AND ($3::bigint IS NULL OR id < $3) AND ($5::text[] IS NULL OR kind = ANY($5))
        ORDER BY id LIMIT $4`,
      values: [sessionId, after, before ?? null, limit, kinds ?? null],
    });
    return rows.map((row) => envelopeFromRow(sessionId, row));
  }

  /** The last `limit` events before `before`, in order of id: a page backwards. */
  async readEventsBefore(
    sessionId: string,
    { before, limit }: { before?: number; limit: number },
  ): Promise<Envelope[]> {
    const { rows } = await this.database.pool.query<LoggedRow>(
      `SELECT id, kind, turn_id, originator, ts, payload FROM event
       WHERE session_id = $1 AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [sessionId, before ?? null, limit],
    );
    return rows.reverse().map((row) => envelopeFromRow(sessionId, row));
  }

  /** The id of the session's last event; 0 before the first one and for an unknown session. */
  async lastEventId(sessionId: string): Promise<number> {
    const { rows } = await this.database.pool.query<Pick<SessionCursorRow, 'last_event_id'>>(
      'SELECT last_event_id FROM session_cursor WHERE session_id = $1',
      [sessionId],
    );
    return Number(rows[0]?.last_event_id ?? 0);
  }

  /** The same for many sessions at once; unknown ones are absent. */
  async lastEventIds(sessionIds: string[]): Promise<Map<string, number>> {
    const { rows } = await this.database.pool.query<Pick<SessionCursorRow, 'session_id' | 'last_event_id'>>(
      'SELECT session_id, last_event_id FROM session_cursor WHERE session_id = ANY($1)',
      [sessionIds],
    );
    return new Map(rows.map((row) => [row.session_id, Number(row.last_event_id)]));
  }
}

/** The envelope as every reader of the log has it. */
export function envelopeFromRow(session: string, row: LoggedRow): Envelope {
  return {
    id: Number(row.id),
    kind: row.kind,
    session,
    turn: row.turn_id,
    originator: JSON.parse(row.originator),
    ts: row.ts.toISOString(),
    payload: JSON.parse(row.payload),
  } as Envelope;
}
