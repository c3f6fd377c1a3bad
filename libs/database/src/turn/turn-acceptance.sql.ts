import type { Pool } from 'pg';
import type { EventRow, IdempotencyKeyRow, TurnRow, WorkerRow } from '../generated/rows';
import { QUEUE_COMES_FIRST } from '../queue-item/queue-item.sql';
import { searchRows, searchVectorSql } from '../search/search-rows.sql';
import { queueOrderWith } from './queue-order';
import { TURN_COLUMNS, type PlacedTurnRow } from './turn-row';

/**
 * One statement, so one round trip and one commit: the turn takes the session unless another turn has it, the key is
 * kept, the act is written into the audit log, and `turn:queued` gets the session's next id. Only in here is the
 * position known, so the payload's text is completed here, to what JSON.stringify would have written. Attachments are
 * locked, so that none is removed meanwhile, and so are comments, which are sent once and as they were read; where one
 * is missing nothing is accepted. In a shared workspace nothing is accepted either while another session's turn is live
 * in it: of two that come at once the second breaks LIVE_IN_SHARED_WORKSPACE. A message of the queue stops waiting in
 * the same commit; while one may run, nothing else is accepted.
 */
const ACCEPT_SQL = `
WITH prior AS MATERIALIZED (
  SELECT turn_id, body_hash FROM idempotency_key WHERE user_id = $5 AND session_id = $2 AND key = $12
    AND expires_at > now()
), attached AS MATERIALIZED (
  SELECT id FROM attachment WHERE id = ANY ($18::text[]) AND session_id = $2 AND ready_at IS NOT NULL
    AND removed_at IS NULL AND (sent_at IS NOT NULL OR user_id = $5) FOR NO KEY UPDATE
), commented AS MATERIALIZED (
  SELECT id FROM diff_comment WHERE session_id = $2 AND turn_id IS NULL AND id || '/' || version = ANY ($20::text[])
    FOR NO KEY UPDATE
), taken AS MATERIALIZED (
  SELECT id FROM queue_item WHERE id = $22 AND session_id = $2 AND version = $23 AND gone_at IS NULL FOR UPDATE
), accepted AS (
  INSERT INTO turn (id, session_id, team_id, active_session_id, shared_workspace_id, kind, author_id, author_name, author_class, message,
    message_cipher, attachments, options, persona, output_schema, originator, queued_at)
  SELECT $1, $2, $3, $2, s.shared_workspace_id, $4, $5, $6, $7, $8, $9, $19, $10, $15, $21, $14, now()
  FROM session s
  WHERE s.id = $2 AND s.archived_at IS NULL AND NOT EXISTS (SELECT 1 FROM prior)
    AND NOT EXISTS (SELECT 1 FROM turn other WHERE other.shared_workspace_id = s.shared_workspace_id
      AND other.active_session_id <> $2)
    AND (SELECT count(*) FROM attached) = cardinality($18::text[])
    AND (SELECT count(*) FROM commented) = cardinality($20::text[])
    AND CASE WHEN $22::text IS NULL THEN NOT ${QUEUE_COMES_FIRST} ELSE EXISTS (SELECT 1 FROM taken) END
  ON CONFLICT (active_session_id) DO NOTHING
  RETURNING id, queued_at
), kept AS (
  INSERT INTO idempotency_key (user_id, session_id, key, body_hash, turn_id, expires_at)
  SELECT $5, $2, $12, $13, id, now() + interval '24 hours' FROM accepted WHERE $12::text IS NOT NULL
), sent AS (
  UPDATE attachment SET sent_at = now() FROM accepted WHERE attachment.id IN (SELECT id FROM attached)
    AND attachment.sent_at IS NULL
), consumed AS (
  UPDATE queue_item SET gone_at = now(), turn_id = accepted.id, message_cipher = NULL FROM accepted
    WHERE queue_item.id IN (SELECT id FROM taken)
), sent_comments AS (
  UPDATE diff_comment SET turn_id = accepted.id FROM accepted WHERE diff_comment.id IN (SELECT id FROM commented)
), audited AS (
  INSERT INTO audit_entry (id, team_id, user_id, user_name, action, object, detail)
  SELECT $16, $3, $5, $6, 'turn:' || $4, id, $17 FROM accepted
), touched AS (
  UPDATE session SET updated_at = now(), awaits_message_since = NULL FROM accepted WHERE session.id = $2
), placed AS (
  SELECT q.position FROM accepted, (${queueOrderWith({ id: '$1', teamId: '$3', authorId: '$5', queuedAt: 'now()' })}) q
    WHERE q.id = $1
), numbered AS (
  UPDATE session_cursor c SET last_event_id = c.last_event_id + 1 FROM accepted WHERE c.session_id = $2
    RETURNING c.last_event_id
), logged AS (
  INSERT INTO event (session_id, id, kind, turn_id, originator, ts, payload)
  SELECT $2, numbered.last_event_id, 'turn:queued', $1, $14, accepted.queued_at, $11 || placed.position || '}'
  FROM accepted, numbered, placed
  RETURNING id, ts
), searchable AS (
  INSERT INTO search_text (session_id, event_id, field, turn_id, at, text, words)
  SELECT $2, logged.id, f.field, $1, logged.ts, f.text, ${searchVectorSql('f.words')}
  FROM logged, unnest($24::text[], $25::text[], $26::text[]) AS f(field, text, words)
)
SELECT prior.turn_id AS prior_turn_id, prior.body_hash AS prior_body_hash, logged.id AS event_id,
  logged.ts AS queued_at, placed.position,
  (SELECT w.id FROM session s LEFT JOIN shared_workspace shared ON shared.id = s.shared_workspace_id
   JOIN worker w ON w.id = CASE WHEN shared.id IS NULL THEN s.holder_worker_id ELSE shared.holder_worker_id END
   WHERE s.id = $2 AND w.stopped_at IS NULL AND w.lease_expires_at > now()) AS holder_worker_id
FROM (SELECT 1) one LEFT JOIN prior ON true LEFT JOIN logged ON true LEFT JOIN placed ON true`;

/** The unique index by which a shared workspace has one live turn. */
export const LIVE_IN_SHARED_WORKSPACE = 'turn_live_in_shared_workspace_key';

interface AcceptRow {
  prior_turn_id: IdempotencyKeyRow['turn_id'] | null;
  prior_body_hash: IdempotencyKeyRow['body_hash'] | null;
  event_id: EventRow['id'] | null;
  queued_at: TurnRow['queued_at'] | null;
  position: string | null;
  holder_worker_id: WorkerRow['id'] | null;
}

interface TurnToInsert
  extends
    Pick<TurnRow, 'id' | 'session_id' | 'team_id' | 'kind' | 'author_id' | 'author_name' | 'author_class'>,
    Pick<TurnRow, 'message' | 'message_cipher' | 'attachments' | 'options' | 'persona' | 'output_schema'> {
  attachment_ids: string[];
  /** `id/version` */
  comment_versions: string[];
  /** The message of the queue that it is, as it was read. */
  item: { id: string; version: number } | null;
  /** JSON text of the payload of `turn:queued`, up to the position. */
  payload_start: string;
  /** JSON text. */
  originator: EventRow['originator'];
  key: IdempotencyKeyRow['key'] | null;
  body_hash: IdempotencyKeyRow['body_hash'] | null;
  audit: { id: string; detail: string };
  /** What of its message can be searched for. */
  searched: ReturnType<typeof searchRows>;
}

export async function insertTurn(pool: Pool, turn: TurnToInsert): Promise<AcceptRow> {
  const { rows } = await pool.query<AcceptRow>({
    name: 'accept_turn',
    text: ACCEPT_SQL,
    values: [
      turn.id,
      turn.session_id,
      turn.team_id,
      turn.kind,
      turn.author_id,
      turn.author_name,
      turn.author_class,
      turn.message,
      turn.message_cipher,
      turn.options,
      turn.payload_start,
      turn.key,
      turn.body_hash,
      turn.originator,
      turn.persona,
      turn.audit.id,
      turn.audit.detail,
      turn.attachment_ids,
      turn.attachments,
      turn.comment_versions,
      turn.output_schema,
      turn.item?.id ?? null,
      turn.item?.version ?? null,
      turn.searched.map(({ field }) => field),
      turn.searched.map(({ text }) => text),
      turn.searched.map(({ words }) => words),
    ],
  });
  return rows[0] as AcceptRow;
}

/** The turn of a kept key, or the one that is live in the session; its columns are null where there is none. */
type ObstacleRow = PlacedTurnRow & {
  body_hash: IdempotencyKeyRow['body_hash'] | null;
  archived: boolean;
  queue_comes_first: boolean;
};

/** What keeps a turn from being accepted; undefined for an unknown session. */
export async function selectObstacle(
  pool: Pool,
  { sessionId, userId, key }: { sessionId: string; userId: string; key: string | null },
): Promise<ObstacleRow | undefined> {
  const { rows } = await pool.query<ObstacleRow>(
    `SELECT ${TURN_COLUMNS}, k.body_hash, s.archived_at IS NOT NULL AS archived,
       EXISTS (SELECT 1 FROM queue_item w WHERE w.session_id = s.id AND w.gone_at IS NULL
         AND (w.urgent OR s.queue_paused IS NULL)) AS queue_comes_first
     FROM session s
     LEFT JOIN idempotency_key k ON k.user_id = $2 AND k.session_id = s.id AND k.key = $3 AND k.expires_at > now()
     LEFT JOIN turn t ON t.id = k.turn_id OR (k.turn_id IS NULL AND t.active_session_id = s.id)
     WHERE s.id = $1`,
    [sessionId, userId, key],
  );
  return rows[0];
}

/** A turn with the id of its first event. */
export async function selectAccepted(
  pool: Pool,
  turnId: string,
): Promise<(PlacedTurnRow & { event_id: EventRow['id'] }) | undefined> {
  const { rows } = await pool.query<PlacedTurnRow & { event_id: EventRow['id'] }>(
    `SELECT ${TURN_COLUMNS}, (SELECT min(e.id) FROM event e WHERE e.session_id = t.session_id
      AND e.turn_id = t.id) AS event_id
     FROM turn t WHERE t.id = $1`,
    [turnId],
  );
  return rows[0];
}

export async function deleteExpiredKey(
  pool: Pool,
  { userId, sessionId, key }: { userId: string; sessionId: string; key: string },
): Promise<void> {
  await pool.query(
    'DELETE FROM idempotency_key WHERE user_id = $1 AND session_id = $2 AND key = $3 AND expires_at <= now()',
    [userId, sessionId, key],
  );
}
