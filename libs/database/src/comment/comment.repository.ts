import type { CreateComment, DiffComment } from '@chirality/contracts';
import { columnsOf } from '../connection/columns-of';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { DiffComment as CommentRecord } from '../generated/client';

interface NewComment extends CreateComment {
  id: string;
  sessionId: string;
  author: { userId: string; name: string };
  code: string;
}

/** A comment with the number of its changes: it is sent only as it was read. */
export type UnsentComment = Omit<DiffComment, 'outdated'> & { version: number };

const COLUMNS = columnsOf('DiffComment');

/** Comments on changes, until they are sent. */
export class CommentRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Null when the session has `maxUnsent` of them. */
  async add({ id, sessionId, author, ...comment }: NewComment, maxUnsent: number): Promise<UnsentComment | null> {
    const { path, side, line, endLine, commit, body, code } = comment;
    const { rows } = await this.database.pool.query<CommentRecord>(
      `INSERT INTO diff_comment (id, session_id, author_id, author_name, path, side, line, end_line, commit, body, code)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
       WHERE (SELECT count(*) FROM diff_comment WHERE session_id = $2 AND turn_id IS NULL) < $12
       RETURNING ${COLUMNS}`,
      [
        id,
        sessionId,
        author.userId,
        author.name,
        storableText(path),
        side,
        line,
        endLine ?? null,
        commit ?? null,
        body,
        storableText(code),
        maxUnsent,
      ],
    );
    return rows[0] ? commentFromRow(rows[0]) : null;
  }

  /** Those of a session that were not sent, by file and line. */
  async listUnsent(sessionId: string): Promise<UnsentComment[]> {
    const { rows } = await this.database.pool.query<CommentRecord>(
      `SELECT ${COLUMNS} FROM diff_comment WHERE session_id = $1 AND turn_id IS NULL ORDER BY path, line, id`,
      [sessionId],
    );
    return rows.map(commentFromRow);
  }

  /** Null for an unknown id and for one of another session. `isSent`: it is part of a message by now. */
  async find(sessionId: string, id: string): Promise<{ comment: UnsentComment; isSent: boolean } | null> {
    const { rows } = await this.database.pool.query<CommentRecord>(
      `SELECT ${COLUMNS} FROM diff_comment WHERE id = $1 AND session_id = $2`,
      [id, sessionId],
    );
    return rows[0] ? { comment: commentFromRow(rows[0]), isSent: rows[0].turnId !== null } : null;
  }

  /** Null when it was sent or removed meanwhile. */
  async change(id: string, body: string): Promise<UnsentComment | null> {
    const { rows } = await this.database.pool.query<CommentRecord>(
      `UPDATE diff_comment SET body = $2, version = version + 1, updated_at = now()
       WHERE id = $1 AND turn_id IS NULL RETURNING ${COLUMNS}`,
      [id, body],
    );
    return rows[0] ? commentFromRow(rows[0]) : null;
  }

  /** False when it was sent or removed meanwhile. */
  async remove(id: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query('DELETE FROM diff_comment WHERE id = $1 AND turn_id IS NULL', [
      id,
    ]);
    return rowCount === 1;
  }

  /** Whether all of them are still as they were read. */
  async areUnsent(versions: readonly string[]): Promise<boolean> {
    const { rows } = await this.database.pool.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM diff_comment WHERE turn_id IS NULL AND id || '/' || version = ANY ($1::text[])",
      [versions],
    );
    return rows[0]?.count === versions.length;
  }
}

function commentFromRow(row: CommentRecord): UnsentComment {
  return {
    id: row.id,
    path: row.path,
    side: row.side,
    line: row.line,
    ...(row.endLine === null ? {} : { endLine: row.endLine }),
    ...(row.commit === null ? {} : { commit: row.commit }),
    body: row.body,
    code: row.code,
    author: { userId: row.authorId, name: row.authorName },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
  };
}
