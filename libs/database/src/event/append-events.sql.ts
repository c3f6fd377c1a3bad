import type { Tx } from '../connection/database';
import type { SessionCursorRow } from '../generated/rows';
import { searchRows, searchVectorSql } from '../search/search-rows.sql';
import type { PendingEvent } from './pending-event';

/** The events of one session that take their numbers together. */
export interface AppendGroup {
  sessionId: string;
  fence: bigint | null;
  /** Rises with each append of one writer; the same again after an answer was lost. */
  seq: number;
  raisesFence: boolean;
  events: PendingEvent[];
}

/**
 * `base` is the id before the group's first event. `locked`: another transaction holds the session; nothing was
 * written.
 */
export type GroupOutcome =
  { written: true; base: number } | { written: false; reason: 'fenced' | 'unknown_session' | 'locked' };

/** Most writers that a session's cursor remembers; the least recent is forgotten. */
const MARKS_KEPT = 8;

/**
 * Takes the numbers and inserts the rows of all groups, with what can be searched for in them, in one statement, so in
 * one commit and one round trip. A group is written when its fence is the cursor's and this writer's mark is older than
 * the group; the mark then holds the group's number and base. Both are read from the newest version of the row, under
 * its lock, so a statement of a connection that was given up may still come through and will write nothing.
 */
const appendSql = (waiting: 'FOR UPDATE OF c' | 'FOR UPDATE OF c SKIP LOCKED') => `
WITH input AS (
  SELECT * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::int[], $6::int[]) AS i(session_id, fence, seq,
    amount, fence_rise)
), locked AS (
  SELECT c.session_id, c.marks -> $1 AS mark
  FROM session_cursor c JOIN input i ON i.session_id = c.session_id
  ORDER BY c.session_id ${waiting}
), numbered AS (
  UPDATE session_cursor c
  SET last_event_id = c.last_event_id + i.amount,
      fence = c.fence + i.fence_rise,
      marks = CASE
        WHEN c.marks ? $1 OR (SELECT count(*) FROM jsonb_object_keys(c.marks)) < ${MARKS_KEPT} THEN c.marks
        ELSE (SELECT jsonb_object_agg(key, value) FROM (
          SELECT key, value FROM jsonb_each(c.marks) ORDER BY (value ->> 0)::bigint DESC LIMIT ${MARKS_KEPT - 1}
        ) recent)
      END || jsonb_build_object($1::text, jsonb_build_array(i.seq, c.last_event_id))
  FROM input i JOIN locked l ON l.session_id = i.session_id
  WHERE c.session_id = i.session_id
    AND (i.fence IS NULL OR i.fence = c.fence)
    AND coalesce((c.marks -> $1 ->> 0)::bigint, 0) < i.seq
  RETURNING c.session_id, c.last_event_id - i.amount AS base
), inserted AS (
  INSERT INTO event (session_id, id, kind, turn_id, originator, ts, payload)
  SELECT n.session_id, n.base + e.ordinal, e.kind, e.turn_id, e.originator, e.ts, e.payload
  FROM unnest($7::text[], $8::int[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::text[])
    AS e(session_id, ordinal, kind, turn_id, originator, ts, payload)
  JOIN numbered n ON n.session_id = e.session_id
), searchable AS (
  INSERT INTO search_text (session_id, event_id, field, turn_id, at, text, words)
  SELECT n.session_id, n.base + f.ordinal, f.field, f.turn_id, f.at, f.text, ${searchVectorSql('f.words')}
  FROM unnest($14::text[], $15::int[], $16::text[], $17::text[], $18::timestamptz[], $19::text[], $20::text[])
    AS f(session_id, ordinal, field, turn_id, at, text, words)
  JOIN numbered n ON n.session_id = f.session_id
)
SELECT i.session_id, n.base, l.session_id IS NOT NULL AS seen, (l.mark ->> 0)::bigint AS mark_seq,
  (l.mark ->> 1)::bigint AS mark_base,
  EXISTS (SELECT 1 FROM session_cursor c WHERE c.session_id = i.session_id) AS known
FROM input i LEFT JOIN locked l ON l.session_id = i.session_id LEFT JOIN numbered n ON n.session_id = i.session_id`;

const STATEMENTS = {
  wait: { name: 'append_events', text: appendSql('FOR UPDATE OF c') },
  skip: { name: 'append_events_skip_locked', text: appendSql('FOR UPDATE OF c SKIP LOCKED') },
};

interface OutcomeRow extends Pick<SessionCursorRow, 'session_id'> {
  base: SessionCursorRow['last_event_id'] | null;
  seen: boolean;
  mark_seq: string | null;
  mark_base: string | null;
  known: boolean;
}

/**
 * Writes groups of different sessions; the outcomes stand in the order of the groups. `wait` fails as a whole when a
 * session stays locked beyond `lock_timeout`; `skip` leaves out the locked ones.
 */
export async function appendGroups(
  tx: Tx,
  writer: string,
  groups: AppendGroup[],
  whenLocked: 'wait' | 'skip',
): Promise<GroupOutcome[]> {
  const events = groups.flatMap(({ sessionId, events: own }) =>
    own.map((pending, index) => ({ sessionId, ordinal: index + 1, pending })),
  );
  const searched = events.flatMap((each) => searchRows(each.pending.event).map((row) => ({ ...each, row })));
  const { rows } = await tx.query<OutcomeRow>({
    ...STATEMENTS[whenLocked],
    values: [
      writer,
      groups.map((group) => group.sessionId),
      groups.map((group) => group.fence?.toString() ?? null),
      groups.map((group) => group.seq),
      groups.map((group) => group.events.length),
      groups.map((group) => (group.raisesFence ? 1 : 0)),
      events.map((each) => each.sessionId),
      events.map((each) => each.ordinal),
      events.map((each) => each.pending.event.kind),
      events.map((each) => each.pending.event.turn),
      events.map((each) => each.pending.originator),
      events.map((each) => each.pending.ts),
      events.map((each) => each.pending.payload),
      searched.map((each) => each.sessionId),
      searched.map((each) => each.ordinal),
      searched.map((each) => each.row.field),
      searched.map((each) => each.pending.event.turn),
      searched.map((each) => each.pending.ts),
      searched.map((each) => each.row.text),
      searched.map((each) => each.row.words),
    ],
  });
  const bySession = new Map(rows.map((row) => [row.session_id, row]));
  return groups.map((group) => outcomeOf(group, bySession.get(group.sessionId)));
}

function outcomeOf(group: AppendGroup, row: OutcomeRow | undefined): GroupOutcome {
  if (!row) throw new Error(`the append statement did not answer for ${group.sessionId}`);
  if (row.base !== null) return { written: true, base: Number(row.base) };
  if (row.seen && row.mark_seq === String(group.seq)) return { written: true, base: Number(row.mark_base) };
  if (row.seen) return { written: false, reason: 'fenced' };
  return { written: false, reason: row.known ? 'locked' : 'unknown_session' };
}

/**
 * Whether the append of that number, whose answer was lost, took effect: its base, or null. Waits for the transaction
 * that may still be committing it, because that one holds the cursor.
 */
export async function findWrittenAppend(
  tx: Tx,
  writer: string,
  sessionId: string,
  seq: number,
): Promise<number | null> {
  const { rows } = await tx.query<Pick<OutcomeRow, 'mark_seq' | 'mark_base'>>(
    'SELECT (marks -> $2 ->> 0)::bigint AS mark_seq, (marks -> $2 ->> 1)::bigint AS mark_base FROM session_cursor WHERE session_id = $1 FOR UPDATE',
    [sessionId, writer],
  );
  const row = rows[0];
  return row?.mark_seq === String(seq) ? Number(row.mark_base) : null;
}
