import type { Attachment, IdentityClass, Options, Originator, OutputSchema, QueueItem } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Tx } from '../connection/database';
import type { QueueItemRow, SessionRow, TurnRow } from '../generated/rows';
import { publicQueueItem, queueItemFromRow } from './queue-item-row';
import { readQueue } from './queue-item.sql';

export interface NewQueueItem {
  session: { id: string };
  author: { userId: string; name: string; identityClass: IdentityClass };
  originator: Originator;
  clientId: string;
  tokenId: string | null;
  /** Masked already. */
  message: string;
  messageCipher: Buffer;
  /** As they were found. */
  attachments: Attachment[];
  options: Options;
  /** Masked already. */
  outputSchema: OutputSchema | null;
  /** It comes first, and the turn that runs is to be interrupted for it. */
  urgent: boolean;
  idempotency: { key: string; bodyHash: string } | undefined;
}

export type AddOutcome =
  | { outcome: 'queued'; item: QueueItem; activeTurnId: string | null }
  | { outcome: 'replayed'; item: QueueItem }
  | { outcome: 'mismatch' }
  /** No turn runs and nothing else comes first. */
  | { outcome: 'idle' }
  | { outcome: 'full' }
  | { outcome: 'archived' }
  | { outcome: 'attachment_gone' };

/** A key is remembered for a day. */
const KEY_LIFE = "interval '24 hours'";

/** Inserts it under the session's lock, so that what it is judged by holds until the commit. */
export async function insertQueueItem(tx: Tx, item: NewQueueItem, maxItems: number): Promise<AddOutcome> {
  const { session, author, idempotency } = item;
  const { rows } = await tx.query<Pick<SessionRow, 'archived_at'>>(
    'SELECT archived_at FROM session WHERE id = $1 FOR NO KEY UPDATE',
    [session.id],
  );
  if (idempotency) {
    const known = await findByKey(tx, item, idempotency.key);
    if (known && known.body_hash !== idempotency.bodyHash) return { outcome: 'mismatch' };
    if (known) return { outcome: 'replayed', item: publicQueueItem(queueItemFromRow(known)) };
  }
  if (!rows[0] || rows[0].archived_at !== null) return { outcome: 'archived' };
  const { rows: active } = await tx.query<Pick<TurnRow, 'id'>>('SELECT id FROM turn WHERE active_session_id = $1', [
    session.id,
  ]);
  const { items, paused } = await readQueue(tx, session.id);
  const activeTurnId = active[0]?.id ?? null;
  const isBehindOthers = items.some(({ urgent }) => urgent || paused === null);
  if (activeTurnId === null && !isBehindOthers) return { outcome: 'idle' };
  if (items.length >= maxItems) return { outcome: 'full' };
  if (!(await keepAttachments(tx, item))) return { outcome: 'attachment_gone' };
  // A pause was for what waited then.
  if (items.length === 0)
    await tx.query('UPDATE session SET queue_paused = NULL, queue_pause_detail = NULL WHERE id = $1', [session.id]);
  const { rows: added } = await tx.query<QueueItemRow>(
    `INSERT INTO queue_item (id, session_id, author_id, author_name, author_class, client_id, token_id, message,
       message_cipher, attachments, options, output_schema, position, urgent, interrupts_id, key, body_hash)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, CASE WHEN $13 THEN coalesce(min(position), 1) - 1
       ELSE coalesce(max(position), 0) + 1 END, $13, $14, $15, $16
     FROM queue_item WHERE session_id = $2 AND gone_at IS NULL RETURNING *`,
    [
      newId('queueItem'),
      session.id,
      author.userId,
      author.name,
      author.identityClass,
      item.clientId,
      item.tokenId,
      JSON.stringify(item.message),
      item.messageCipher,
      JSON.stringify(item.attachments),
      JSON.stringify(item.options),
      item.outputSchema && JSON.stringify(item.outputSchema),
      item.urgent,
      item.urgent ? activeTurnId : null,
      idempotency?.key ?? null,
      idempotency?.bodyHash ?? null,
    ],
  );
  return { outcome: 'queued', item: publicQueueItem(queueItemFromRow(added[0] as QueueItemRow)), activeTurnId };
}

async function findByKey(tx: Tx, { session, author }: NewQueueItem, key: string): Promise<QueueItemRow | undefined> {
  const ofKey = [author.userId, session.id, key];
  await tx.query(
    `UPDATE queue_item SET key = NULL WHERE author_id = $1 AND session_id = $2 AND key = $3
       AND created_at < now() - ${KEY_LIFE}`,
    ofKey,
  );
  const { rows } = await tx.query<QueueItemRow>(
    'SELECT * FROM queue_item WHERE author_id = $1 AND session_id = $2 AND key = $3',
    ofKey,
  );
  return rows[0];
}

/** They count as sent from now on: everyone sees them with the message, and none is removed meanwhile. */
async function keepAttachments(tx: Tx, { session, author, attachments }: NewQueueItem): Promise<boolean> {
  if (attachments.length === 0) return true;
  const { rowCount } = await tx.query(
    `UPDATE attachment SET sent_at = coalesce(sent_at, now()) WHERE id = ANY ($1::text[]) AND session_id = $2
       AND ready_at IS NOT NULL AND removed_at IS NULL AND (sent_at IS NOT NULL OR user_id = $3)`,
    [attachments.map(({ id }) => id), session.id, author.userId],
  );
  return rowCount === attachments.length;
}
