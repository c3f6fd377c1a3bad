import type { Attachment } from '@chirality/contracts';
import { freeAttachmentName, type SentAttachment } from '@chirality/domain';
import { columnsOf } from '../connection/columns-of';
import type { Database } from '../connection/database';
import type { Attachment as AttachmentRecord } from '../generated/client';
import type { AttachmentRow, TurnRow } from '../generated/rows';

interface AttachmentToBegin {
  id: string;
  sessionId: string;
  userId: string;
  /** A file name; what it becomes is unique in the session. */
  name: string;
}

/** What its content turned out to be. */
type Content = Pick<Attachment, 'kind' | 'mediaType' | 'bytes' | 'width' | 'height'>;

interface Place {
  id: string;
  sessionId: string;
}

/** What a person may see: what was sent, and what they uploaded themselves. */
const SEEN_BY = 'ready_at IS NOT NULL AND removed_at IS NULL AND (sent_at IS NOT NULL OR user_id = $2)';

const PUBLIC_FIELDS = {
  id: true,
  name: true,
  mediaType: true,
  bytes: true,
  kind: true,
  width: true,
  height: true,
} as const;
const PUBLIC_COLUMNS = columnsOf('Attachment', { select: PUBLIC_FIELDS });
type PublicRecord = Pick<AttachmentRecord, keyof typeof PUBLIC_FIELDS>;

const NAME_ATTEMPTS = 20;

/** Files that go with messages, and those that are uploaded for one that is not sent yet. */
export class AttachmentRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * Records an upload before its first byte. Null when the person has `maxUnsent` in this session that were not sent.
   */
  async begin({ id, sessionId, userId, name }: AttachmentToBegin, maxUnsent: number): Promise<true | null> {
    const { rows: counted } = await this.database.pool.query<{ unsent: number }>(
      `SELECT count(*)::int AS unsent FROM attachment
       WHERE session_id = $1 AND user_id = $2 AND sent_at IS NULL AND removed_at IS NULL`,
      [sessionId, userId],
    );
    if ((counted[0]?.unsent ?? 0) >= maxUnsent) return null;
    for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
      const { rows } = await this.database.pool.query<Pick<AttachmentRow, 'name'>>(
        'SELECT name FROM attachment WHERE session_id = $1',
        [sessionId],
      );
      const { rowCount } = await this.database.pool.query(
        `INSERT INTO attachment (id, session_id, user_id, name) VALUES ($1, $2, $3, $4)
         ON CONFLICT (session_id, name) DO NOTHING`,
        [id, sessionId, userId, freeAttachmentName(name, new Set(rows.map((row) => row.name)))],
      );
      if (rowCount === 1) return true;
    }
    throw new Error(`no free name for an attachment of session ${sessionId}`);
  }

  /** Its blob is whole: it can be sent. Null when it was removed meanwhile. */
  async complete(id: string, { kind, mediaType, bytes, width, height }: Content): Promise<Attachment | null> {
    const { rows } = await this.database.pool.query<PublicRecord>(
      `UPDATE attachment SET kind = $2, media_type = $3, bytes = $4, width = $5, height = $6, ready_at = now()
       WHERE id = $1 AND ready_at IS NULL AND removed_at IS NULL RETURNING ${PUBLIC_COLUMNS}`,
      [id, kind, mediaType, bytes, width ?? null, height ?? null],
    );
    return rows[0] ? attachmentFromRow(rows[0]) : null;
  }

  /** Null for an unknown id, one of another session, and one that this person may not see. */
  async find(sessionId: string, userId: string, id: string): Promise<Attachment | null> {
    return (await this.listFor(sessionId, userId, [id]))[0] ?? null;
  }

  /** Those of the ids that this person may see and send here, in their order. */
  async listFor(sessionId: string, userId: string, ids: readonly string[]): Promise<Attachment[]> {
    const { rows } = await this.database.pool.query<PublicRecord>(
      `SELECT ${PUBLIC_COLUMNS} FROM attachment WHERE session_id = $1 AND ${SEEN_BY} AND id = ANY ($3::text[])`,
      [sessionId, userId, ids],
    );
    const byId = new Map(rows.map((row) => [row.id, attachmentFromRow(row)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Everything that was sent in the session up to that turn, as often as it was, in the order of its messages. */
  async listSent(sessionId: string, turnId: string): Promise<SentAttachment[]> {
    const { rows } = await this.database.pool.query<Pick<TurnRow, 'id' | 'attachments'>>(
      "SELECT id, attachments FROM turn WHERE session_id = $1 AND id <= $2 AND attachments <> '[]' ORDER BY id",
      [sessionId, turnId],
    );
    return rows.flatMap((row) =>
      (JSON.parse(row.attachments) as Attachment[]).map((attachment) => ({ turnId: row.id, attachment })),
    );
  }

  /** Takes one out of use that was not sent; its blob and then its row are to be deleted. `sent`: it stays. */
  async beginRemoval(sessionId: string, userId: string, id: string): Promise<'removed' | 'sent' | null> {
    const { rows } = await this.database.pool.query<Pick<AttachmentRow, 'sent_at'>>(
      `WITH removed AS (
         UPDATE attachment SET removed_at = now(), name = id
         WHERE id = $3 AND session_id = $1 AND user_id = $2 AND sent_at IS NULL AND removed_at IS NULL RETURNING id
       )
       SELECT sent_at FROM attachment a WHERE a.id = $3 AND a.session_id = $1 AND a.removed_at IS NULL
         AND (EXISTS (SELECT 1 FROM removed) OR a.sent_at IS NOT NULL)`,
      [sessionId, userId, id],
    );
    const row = rows[0];
    if (!row) return null;
    return row.sent_at === null ? 'removed' : 'sent';
  }

  /** What is to be deleted: never sent and old, never completed, or removed. Takes it out of use. */
  async takeObsolete({
    unsentMs,
    incompleteMs,
    limit,
  }: Record<'unsentMs' | 'incompleteMs' | 'limit', number>): Promise<Place[]> {
    const { rows } = await this.database.pool.query<Pick<AttachmentRow, 'id' | 'session_id'>>(
      `UPDATE attachment SET removed_at = coalesce(removed_at, now()), name = id
       WHERE id IN (SELECT id FROM attachment WHERE sent_at IS NULL AND (removed_at IS NOT NULL
         OR created_at < now() - $1 * interval '1 millisecond'
         OR (ready_at IS NULL AND created_at < now() - $2 * interval '1 millisecond'))
         ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED) AND sent_at IS NULL
       RETURNING id, session_id`,
      [unsentMs, incompleteMs, limit],
    );
    return rows.map((row) => ({ id: row.id, sessionId: row.session_id }));
  }

  /** The blob is gone. */
  async completeRemoval(id: string): Promise<void> {
    await this.database.pool.query('DELETE FROM attachment WHERE id = $1 AND removed_at IS NOT NULL', [id]);
  }
}

function attachmentFromRow({ id, name, mediaType, bytes, kind, width, height }: PublicRecord): Attachment {
  return {
    id,
    name,
    mediaType,
    bytes,
    kind,
    ...(width === null ? {} : { width }),
    ...(height === null ? {} : { height }),
  };
}
