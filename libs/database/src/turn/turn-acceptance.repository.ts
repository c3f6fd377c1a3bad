import {
  EMPTY_USAGE,
  type Attachment,
  type Envelope,
  type IdentityClass,
  type OutputSchema,
  type Originator,
  type ResolvedOptions,
  type ResolvedPersona,
  type Turn,
  type TurnKind,
} from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Pool } from 'pg';
import { AttachmentRepository } from '../attachment/attachment.repository';
import { CommentRepository } from '../comment/comment.repository';
import type { Database } from '../connection/database';
import { classifyDatabaseError, violatesUnique } from '../connection/database-error';
import type { EventLogWriter } from '../event/event-log-writer';
import { EventRepository } from '../event/event.repository';
import { searchRows } from '../search/search-rows.sql';
import { SharedWorkspaceRepository, type WorkspaceUse } from '../shared-workspace/shared-workspace.repository';
import {
  deleteExpiredKey,
  insertTurn,
  LIVE_IN_SHARED_WORKSPACE,
  selectAccepted,
  selectObstacle,
} from './turn-acceptance.sql';
import { turnFromRow } from './turn-row';

export interface TurnToAccept {
  session: { id: string; teamId: string };
  kind: TurnKind;
  /** Masked already. */
  message: string;
  messageCipher: Buffer;
  /** What goes with it, as it was found. */
  attachments?: Attachment[];
  /** Comments that it holds, as `id/version`: they are sent with this turn or not at all. */
  comments?: readonly string[];
  /** What the answer has to be; masked already. */
  outputSchema?: OutputSchema | null;
  /** The message of the queue that it is, as it was read: it stops waiting with this turn, or none is made. */
  item?: { id: string; version: number } | undefined;
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
  /** Another session has a live turn in the workspace that both share. */
  | { outcome: 'workspace_in_use'; use: WorkspaceUse }
  | { outcome: 'archived' }
  /** A message of the queue runs first. */
  | { outcome: 'queue_first' }
  /** The message of the queue was changed, or no longer waits. */
  | { outcome: 'item_gone' }
  /** An attachment was removed since it was found. */
  | { outcome: 'attachment_gone' }
  /** A comment was sent, changed or removed since it was read. */
  | { outcome: 'comments_changed' };

const ATTEMPTS = 5;

/** How a turn begins: queued, by a message that is kept. */
export class TurnAcceptanceRepository {
  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly log: Pick<EventLogWriter, 'announce'>,
  ) {}

  /**
   * Makes the turn, its `turn:queued` event, its audit entry and the kept key durable together, or says why not; the
   * event of an accepted turn is published too. Of any number of calls with one key exactly one is `accepted`; of
   * calls for one session, or one shared workspace, none is while a turn is live. A lost connection is tried again
   * once with the same turn, so an answer that got lost makes no second one.
   */
  async accept(input: TurnToAccept): Promise<AcceptOutcome> {
    const accepted = await this.write(input);
    // The worker that is to run the turn is woken first: that is what people wait for.
    if (accepted.outcome === 'accepted') setImmediate(() => this.log.announce(input.session.id, [accepted.event]));
    return accepted;
  }

  private async write(input: TurnToAccept): Promise<AcceptOutcome> {
    const turnId = newId('turn');
    for (let attempt = 1; ; attempt++) {
      try {
        const outcome = await tryAccept(this.database.pool, turnId, input);
        // What is in the way may be this very turn: a statement whose answer was lost took effect after it was looked
        // for.
        const isItself = outcome !== null && idOfTurnInTheWay(outcome) === turnId;
        if (outcome) return (isItself ? await findAccepted(this.database.pool, turnId) : null) ?? outcome;
      } catch (error) {
        const isThere = violatesUnique(error, 'turn_pkey');
        // Another session's turn came in between, and is seen the next time.
        if (violatesUnique(error, LIVE_IN_SHARED_WORKSPACE) && attempt < ATTEMPTS) continue;
        const mayRepeat =
          isThere || classifyDatabaseError(error) === 'unavailable' || violatesUnique(error, 'idempotency_key_pkey');
        if (!mayRepeat || (attempt >= 2 && !isThere)) throw error;
        const earlier = await findAccepted(this.database.pool, turnId);
        if (earlier) return earlier;
        if (isThere) throw error;
        await forgetExpiredKey(this.database.pool, input);
      }
      if (attempt >= ATTEMPTS)
        throw new Error(`session ${input.session.id} changed hands ${ATTEMPTS} times while a turn was being accepted`);
    }
  }
}

function idOfTurnInTheWay(outcome: AcceptOutcome): string | null {
  if (outcome.outcome === 'busy') return outcome.active.id;
  return outcome.outcome === 'replayed' ? outcome.turn.id : null;
}

async function tryAccept(pool: Pool, turnId: string, input: TurnToAccept): Promise<AcceptOutcome | null> {
  const { session, kind, message, messageCipher, options, persona, author, originator, idempotency } = input;
  const { attachments = [], outputSchema = null } = input;
  const said = {
    turnKind: kind,
    message,
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(outputSchema === null ? {} : { outputSchema }),
    ...(input.item ? { item: input.item.id } : {}),
  };
  const row = await insertTurn(pool, {
    id: turnId,
    session_id: session.id,
    team_id: session.teamId,
    kind,
    author_id: author.userId,
    author_name: author.name,
    author_class: author.identityClass,
    message: JSON.stringify(message),
    message_cipher: messageCipher,
    attachments: JSON.stringify(attachments),
    attachment_ids: attachments.map(({ id }) => id),
    comment_versions: [...(input.comments ?? [])],
    output_schema: outputSchema && JSON.stringify(outputSchema),
    item: input.item ?? null,
    options: JSON.stringify(options),
    payload_start: JSON.stringify({ ...said, position: 0 }).slice(0, -'0}'.length),
    key: idempotency?.key ?? null,
    body_hash: idempotency?.bodyHash ?? null,
    originator: JSON.stringify(originator),
    persona: persona ? JSON.stringify(persona) : null,
    audit: { id: newId('audit'), detail: JSON.stringify({ sessionId: session.id }) },
    searched: searchRows({ kind: 'turn:queued', payload: { ...said, position: 0 } }),
  });
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
      payload: { ...said, position },
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
  { session, author, idempotency, attachments, comments = [], item }: TurnToAccept,
): Promise<AcceptOutcome | null> {
  const row = await selectObstacle(pool, {
    sessionId: session.id,
    userId: author.userId,
    key: idempotency?.key ?? null,
  });
  if (!row) throw new Error(`no session ${session.id}`);
  if (row.body_hash !== null)
    return row.body_hash === idempotency?.bodyHash
      ? { outcome: 'replayed', turn: turnFromRow(row) }
      : { outcome: 'mismatch' };
  if (row.archived) return { outcome: 'archived' };
  if (row.id !== null) return { outcome: 'busy', active: turnFromRow(row) };
  const use = await new SharedWorkspaceRepository({ pool }).findUseByOthers(session.id);
  if (use) return { outcome: 'workspace_in_use', use };
  if (item) return { outcome: 'item_gone' };
  if (row.queue_comes_first) return { outcome: 'queue_first' };
  const ids = (attachments ?? []).map(({ id }) => id);
  const found =
    ids.length === 0 ? [] : await new AttachmentRepository({ pool }).listFor(session.id, author.userId, ids);
  if (found.length < ids.length) return { outcome: 'attachment_gone' };
  const areAsRead = comments.length === 0 || (await new CommentRepository({ pool }).areUnsent(comments));
  return areAsRead ? null : { outcome: 'comments_changed' };
}

async function findAccepted(pool: Pool, turnId: string): Promise<AcceptOutcome | null> {
  const row = await selectAccepted(pool, turnId);
  if (!row) return null;
  const [event] = await new EventRepository({ pool }).readEvents(row.session_id, {
    after: Number(row.event_id) - 1,
    limit: 1,
  });
  return { outcome: 'accepted', turn: turnFromRow(row), event: event as Envelope, holderWorkerId: null };
}

async function forgetExpiredKey(pool: Pool, { session, author, idempotency }: TurnToAccept): Promise<void> {
  if (idempotency) await deleteExpiredKey(pool, { userId: author.userId, sessionId: session.id, key: idempotency.key });
}

function newTurn(
  id: string,
  { session, kind, message, attachments, outputSchema, options, persona, author }: TurnToAccept,
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
    attachments: attachments ?? [],
    options,
    persona: persona ?? null,
    outputSchema: outputSchema ?? null,
    text: '',
    structured: null,
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
