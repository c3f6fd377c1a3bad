import type { NewEvent } from '@chirality/contracts';
import type { Database, Tx } from '../connection/database';
import { inTransaction } from '../connection/transaction';
import type { EventRow, SearchBacklogRow } from '../generated/rows';
import { searchRows, searchVectorSql } from './search-rows.sql';

/** Kinds that can have something to search for. */
const KINDS: NewEvent['kind'][] = ['turn:queued', 'chat:complete', 'tool:start', 'tool:result'];

type LoggedEvent = Pick<EventRow, 'id' | 'kind' | 'turn_id' | 'ts' | 'payload'>;

/** Brings what was logged before there was a search into it, the newest sessions first. */
export class SearchBacklogRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * Takes the next few events of one session into the search, in one transaction that any number of servers may run at
   * once and that can end anywhere. A purge waits for it by the row that it deletes before the search's. False when
   * nothing is left for this server to take.
   */
  async takeSome(limit: number): Promise<boolean> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rows } = await tx.query<SearchBacklogRow>(
        `SELECT b.session_id, b.after_event_id FROM search_backlog b ORDER BY b.session_id DESC LIMIT 1
         FOR UPDATE SKIP LOCKED`,
      );
      const [next] = rows;
      if (!next) return false;
      const { rows: events } = await tx.query<LoggedEvent>(
        `SELECT id, kind, turn_id, ts, payload FROM event WHERE session_id = $1 AND id > $2 AND kind = ANY($3)
         ORDER BY id LIMIT $4`,
        [next.session_id, next.after_event_id, KINDS, limit],
      );
      await insertSearchRows(tx, next.session_id, events);
      const last = events.length < limit ? undefined : events.at(-1);
      if (last === undefined) await tx.query('DELETE FROM search_backlog WHERE session_id = $1', [next.session_id]);
      else
        await tx.query('UPDATE search_backlog SET after_event_id = $2 WHERE session_id = $1', [
          next.session_id,
          last.id,
        ]);
      return true;
    });
  }
}

/** Those that are there already stay. */
async function insertSearchRows(tx: Tx, sessionId: string, events: readonly LoggedEvent[]): Promise<void> {
  const rows = events.flatMap((event) =>
    searchRows({ kind: event.kind, payload: JSON.parse(event.payload) } as NewEvent).map((row) => ({ event, row })),
  );
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO search_text (session_id, event_id, field, turn_id, at, text, words)
     SELECT $1, f.event_id, f.field, f.turn_id, f.at, f.text, ${searchVectorSql('f.words')}
     FROM unnest($2::bigint[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[])
       AS f(event_id, field, turn_id, at, text, words)
     ON CONFLICT DO NOTHING`,
    [
      sessionId,
      rows.map(({ event }) => event.id),
      rows.map(({ row }) => row.field),
      rows.map(({ event }) => event.turn_id),
      rows.map(({ event }) => event.ts),
      rows.map(({ row }) => row.text),
      rows.map(({ row }) => row.words),
    ],
  );
}
