import {
  EMPTY_USAGE,
  type Envelope,
  type IdentityClass,
  type Originator,
  type ResolvedOptions,
  type ResolvedPersona,
  type Turn,
  type TurnKind,
} from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Pool } from 'pg';
import { classifyDatabaseError, violatesUnique } from '../connection/database-error';
import { EventRepository } from '../event/event.repository';
import type { EventRow, IdempotencyKeyRow, TurnRow, WorkerRow } from '../generated/rows';
import { queueOrderWith } from './queue-order';
import { TURN_COLUMNS, turnFromRow, type PlacedTurnRow } from './turn-row';

export interface TurnToAccept {
  session: { id: string; teamId: string };
  kind: TurnKind;
  /** Masked already. */
  message: string;
  messageCipher: Buffer;
  options: ResolvedOptions;
  /** Its text is kept already. */
  persona?: ResolvedPersona | null;
  author: { userId: string; name: string; identityClass: IdentityClass };
  originator: Originator;
  /** `key` belongs to the author and the session for 24 hours; `bodyHash` tells one body from another. */
  idempotency?: { key: string; bodyHash: string } | undefined;
}

export type AcceptOutcome =
  /** `holderWorkerId`: the live worker that alone may claim it, to be woken directly; null when any may. */
  | { outcome: 'accepted'; turn: Turn; event: Envelope; holderWorkerId: string | null }
  | { outcome: 'replayed'; turn: Turn }
  | { outcome: 'mismatch' }
  | { outcome: 'busy'; active: Turn }
  | { outcome: 'archived' };

const ATTEMPTS = 5;

/**
 * One statement, so one round trip and one commit: the turn takes the session unless another turn has it, the key is
 * kept, the act is written into the audit log, and `turn:queued` gets the session's next id. Only in here is the
 * position known, so the payload's text is completed here, to what JSON.stringify would have written.
 */
const ACCEPT_SQL = `
WITH prior AS MATERIALIZED (
  SELECT turn_id, body_hash FROM idempotency_key WHERE user_id = $5 AND session_id = $2 AND key = $12 AND expires_at > now()
), accepted AS (
  INSERT INTO turn (id, session_id, team_id, active_session_id, kind, author_id, author_name, author_class, message, message_cipher, options, persona, queued_at)
  SELECT $1, $2, $3, $2, $4, $5, $6, $7, $8, $9, $10, $15, now()
  WHERE NOT EXISTS (SELECT 1 FROM prior) AND EXISTS (SELECT 1 FROM session WHERE id = $2 AND archived_at IS NULL)
  ON CONFLICT (active_session_id) DO NOTHING
  RETURNING id, queued_at
), kept AS (
  INSERT INTO idempotency_key (user_id, session_id, key, body_hash, turn_id, expires_at)
  SELECT $5, $2, $12, $13, id, now() + interval '24 hours' FROM accepted WHERE $12::text IS NOT NULL
), audited AS (
  INSERT INTO audit_entry (id, team_id, user_id, user_name, action, object, detail)
  SELECT $16, $3, $5, $6, 'turn:' || $4, id, $17 FROM accepted
), touched AS (
  UPDATE session SET updated_at = now() FROM accepted WHERE session.id = $2
), placed AS (
  SELECT q.position FROM accepted, (${queueOrderWith({ id: '$1', teamId: '$3', authorId: '$5', queuedAt: 'now()' })}) q WHERE q.id = $1
), numbered AS (
  UPDATE session_cursor c SET last_event_id = c.last_event_id + 1 FROM accepted WHERE c.session_id = $2 RETURNING c.last_event_id
), logged AS (
  INSERT INTO event (session_id, id, kind, turn_id, originator, ts, payload)
  SELECT $2, numbered.last_event_id, 'turn:queued', $1, $14, accepted.queued_at, $11 || placed.position || '}'
  FROM accepted, numbered, placed
  RETURNING id, ts
)
SELECT prior.turn_id AS prior_turn_id, prior.body_hash AS prior_body_hash, logged.id AS event_id, logged.ts AS queued_at, placed.position,
  (SELECT w.id FROM session s JOIN worker w ON w.id = s.holder_worker_id
   WHERE s.id = $2 AND w.stopped_at IS NULL AND w.lease_expires_at > now()) AS holder_worker_id
FROM (SELECT 1) one LEFT JOIN prior ON true LEFT JOIN logged ON true LEFT JOIN placed ON true`;

interface AcceptRow {
  prior_turn_id: IdempotencyKeyRow['turn_id'] | null;
  prior_body_hash: IdempotencyKeyRow['body_hash'] | null;
  event_id: EventRow['id'] | null;
  queued_at: TurnRow['queued_at'] | null;
  position: string | null;
  holder_worker_id: WorkerRow['id'] | null;
}

/**
 * Makes the turn, its `turn:queued` event, its audit entry and the kept key durable together, or says why not. Of any
 * number of calls with one key exactly one is `accepted`; of calls for one session none is while a turn is live. A lost connection is
 * tried again once with the same turn, so an answer that got lost makes no second one.
 */
export async function acceptTurn(pool: Pool, input: TurnToAccept): Promise<AcceptOutcome> {
  const turnId = newId('turn');
  for (let attempt = 1; ; attempt++) {
    try {
      const outcome = await tryAccept(pool, turnId, input);
      // What is in the way may be this very turn: a statement whose answer was lost took effect after it was looked for.
      const isItself = outcome !== null && idOfTurnInTheWay(outcome) === turnId;
      if (outcome) return (isItself ? await findAccepted(pool, turnId) : null) ?? outcome;
    } catch (error) {
      const isThere = violatesUnique(error, 'turn_pkey');
      const mayRepeat =
        isThere || classifyDatabaseError(error) === 'unavailable' || violatesUnique(error, 'idempotency_key_pkey');
      if (!mayRepeat || (attempt >= 2 && !isThere)) throw error;
      const earlier = await findAccepted(pool, turnId);
      if (earlier) return earlier;
      if (isThere) throw error;
      await forgetExpiredKey(pool, input);
    }
    if (attempt >= ATTEMPTS)
      throw new Error(`session ${input.session.id} changed hands ${ATTEMPTS} times while a turn was being accepted`);
  }
}

function idOfTurnInTheWay(outcome: AcceptOutcome): string | null {
  if (outcome.outcome === 'busy') return outcome.active.id;
  return outcome.outcome === 'replayed' ? outcome.turn.id : null;
}

async function tryAccept(pool: Pool, turnId: string, input: TurnToAccept): Promise<AcceptOutcome | null> {
  const { session, kind, message, messageCipher, options, persona, author, originator, idempotency } = input;
  const payloadStart = JSON.stringify({ turnKind: kind, message, position: 0 }).slice(0, -'0}'.length);
  const { rows } = await pool.query<AcceptRow>({
    name: 'accept_turn',
    text: ACCEPT_SQL,
    values: [
      turnId,
      session.id,
      session.teamId,
      kind,
      author.userId,
      author.name,
      author.identityClass,
      JSON.stringify(message),
      messageCipher,
      JSON.stringify(options),
      payloadStart,
      idempotency?.key ?? null,
      idempotency?.bodyHash ?? null,
      JSON.stringify(originator),
      persona ? JSON.stringify(persona) : null,
      newId('audit'),
      JSON.stringify({ sessionId: session.id }),
    ],
  });
  const row = rows[0] as AcceptRow;
  if (row.event_id !== null && row.queued_at !== null) {
    const queuedAt = row.queued_at.toISOString();
    const position = Number(row.position);
    const event = {
      id: Number(row.event_id),
      kind: 'turn:queued',
      session: session.id,
      turn: turnId,
      originator,
      ts: queuedAt,
      payload: { turnKind: kind, message, position },
    } satisfies Envelope;
    return {
      outcome: 'accepted',
      turn: newTurn(turnId, input, position, queuedAt),
      event,
      holderWorkerId: row.holder_worker_id,
    };
  }
  return whyNotAccepted(pool, input);
}

/** Null when whatever was in the way is gone by now. */
async function whyNotAccepted(
  pool: Pool,
  { session, author, idempotency }: TurnToAccept,
): Promise<AcceptOutcome | null> {
  const { rows } = await pool.query<
    PlacedTurnRow & { body_hash: IdempotencyKeyRow['body_hash'] | null; archived: boolean }
  >(
    `SELECT ${TURN_COLUMNS}, k.body_hash, s.archived_at IS NOT NULL AS archived
     FROM session s
     LEFT JOIN idempotency_key k ON k.user_id = $2 AND k.session_id = s.id AND k.key = $3 AND k.expires_at > now()
     LEFT JOIN turn t ON t.id = k.turn_id OR (k.turn_id IS NULL AND t.active_session_id = s.id)
     WHERE s.id = $1`,
    [session.id, author.userId, idempotency?.key ?? null],
  );
  const row = rows[0];
  if (!row) throw new Error(`no session ${session.id}`);
  if (row.body_hash !== null)
    return row.body_hash === idempotency?.bodyHash
      ? { outcome: 'replayed', turn: turnFromRow(row) }
      : { outcome: 'mismatch' };
  if (row.archived) return { outcome: 'archived' };
  return row.id === null ? null : { outcome: 'busy', active: turnFromRow(row) };
}

async function findAccepted(pool: Pool, turnId: string): Promise<AcceptOutcome | null> {
  const { rows } = await pool.query<PlacedTurnRow & { event_id: EventRow['id'] }>(
    `SELECT ${TURN_COLUMNS}, (SELECT min(e.id) FROM event e WHERE e.session_id = t.session_id AND e.turn_id = t.id) AS event_id
     FROM turn t WHERE t.id = $1`,
    [turnId],
  );
  const row = rows[0];
  if (!row) return null;
  const [event] = await new EventRepository({ pool }).readEvents(row.session_id, {
    after: Number(row.event_id) - 1,
    limit: 1,
  });
  return { outcome: 'accepted', turn: turnFromRow(row), event: event as Envelope, holderWorkerId: null };
}

async function forgetExpiredKey(pool: Pool, { session, author, idempotency }: TurnToAccept): Promise<void> {
  if (!idempotency) return;
  await pool.query(
    'DELETE FROM idempotency_key WHERE user_id = $1 AND session_id = $2 AND key = $3 AND expires_at <= now()',
    [author.userId, session.id, idempotency.key],
  );
}

function newTurn(
  id: string,
  { session, kind, message, options, persona, author }: TurnToAccept,
  position: number,
  queuedAt: string,
): Turn {
  return {
    id,
    sessionId: session.id,
    kind,
    status: 'queued',
    attempt: 0,
    author,
    message,
    options,
    persona: persona ?? null,
    text: '',
    degraded: false,
    error: null,
    claude: { sessionId: null, model: null, version: null },
    usage: EMPTY_USAGE,
    costUsd: '0',
    unpricedMessages: 0,
    estimated: false,
    reportedCostUsd: null,
    permissionDenials: [],
    position,
    timings: null,
    queuedAt,
    startedAt: null,
    endedAt: null,
  };
}
