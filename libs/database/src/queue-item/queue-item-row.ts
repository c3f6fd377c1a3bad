import type { Attachment, Options, OutputSchema, QueueItem } from '@chirality/contracts';
import type { QueueItemRow } from '../generated/rows';

/** A message that waits, with what is needed to run it as its author. */
export type StoredQueueItem = QueueItem & {
  version: number;
  messageCipher: Buffer | null;
  clientId: string;
  /** The token that it was sent with. */
  tokenId: string | null;
  idempotency: { key: string; bodyHash: string } | null;
  interruptsId: string | null;
};

export function queueItemFromRow(row: QueueItemRow): StoredQueueItem {
  return {
    id: row.id,
    sessionId: row.session_id,
    author: { userId: row.author_id, name: row.author_name, identityClass: row.author_class },
    message: JSON.parse(row.message) as string,
    attachments: JSON.parse(row.attachments) as Attachment[],
    options: JSON.parse(row.options) as Options,
    outputSchema: row.output_schema === null ? null : (JSON.parse(row.output_schema) as OutputSchema),
    urgent: row.urgent,
    at: row.created_at.toISOString(),
    version: row.version,
    messageCipher: row.message_cipher,
    clientId: row.client_id,
    tokenId: row.token_id,
    idempotency: row.key === null || row.body_hash === null ? null : { key: row.key, bodyHash: row.body_hash },
    interruptsId: row.interrupts_id,
  };
}

/** What everyone who reads the session may see of it. */
export function publicQueueItem(item: StoredQueueItem): QueueItem {
  const { id, sessionId, author, message, attachments, options, outputSchema, urgent, at } = item;
  return { id, sessionId, author, message, attachments, options, outputSchema, urgent, at };
}
