import type { ProblemCode, PushAnswer } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { insertAuditEntry } from '../audit/audit.repository';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { SessionPushRow } from '../generated/rows';

const LOST = 'The server stopped before the push was done. Push again: what the remote has by then is not sent twice.';

/** What was asked for. `branch` is null where the project's pattern names it. */
export type PushOrder = { sessionId: string; userId: string; branch: string | null; isForced: boolean };

export type PushFailure = { code: ProblemCode; detail: string };

/** One push and how it went. */
export type PushRecord = {
  id: string;
  order: PushOrder;
  status: 'running' | 'done' | 'failed';
  pushed: PushAnswer | null;
  error: PushFailure | null;
  endedAt: Date | null;
};

/** One push of a session at a time: however often it is pressed, one row runs and says what came of it. */
export class SessionPushRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * A new push; `isNew` is false where one runs already, which is then answered. One that began longer ago than
   * `limitMs`, or for a turn that is over, lost the process that made it, and has failed. `turnId`: the turn that
   * proposed it.
   */
  async begin(
    order: PushOrder,
    limitMs: number,
    turnId: string | null = null,
  ): Promise<{ push: PushRecord; isNew: boolean }> {
    const { pool } = this.database;
    await pool.query(
      `UPDATE session_push SET status = 'failed', active_session_id = NULL, ended_at = now(), error_code = 'WORKSPACE_UNAVAILABLE',
         error_detail = $3
       WHERE active_session_id = $1 AND (began_at < now() - $2 * interval '1 millisecond' OR (turn_id IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.id = turn_id AND t.active_session_id IS NOT NULL)))`,
      [order.sessionId, limitMs, LOST],
    );
    const id = newId('push');
    const branch = order.branch === null ? null : storableText(order.branch);
    const { rowCount } = await pool.query(
      `INSERT INTO session_push (id, session_id, user_id, active_session_id, branch, is_forced, turn_id)
       VALUES ($1, $2, $3, $2, $4, $5, $6) ON CONFLICT (active_session_id) DO NOTHING`,
      [id, order.sessionId, order.userId, branch, order.isForced, turnId],
    );
    const { rows } = await pool.query<SessionPushRow>(
      'SELECT * FROM session_push WHERE id = $1 OR active_session_id = $2 ORDER BY (id = $1) DESC LIMIT 1',
      [id, order.sessionId],
    );
    const [row] = rows;
    // The one that ran ended in between.
    if (!row) return this.begin(order, limitMs, turnId);
    return { push: pushFromRow(row), isNew: rowCount === 1 };
  }

  async find(pushId: string): Promise<PushRecord | null> {
    const { rows } = await this.database.pool.query<SessionPushRow>('SELECT * FROM session_push WHERE id = $1', [
      pushId,
    ]);
    return rows[0] ? pushFromRow(rows[0]) : null;
  }

  /** The last one of the session that the remote took. */
  async findLastDone(sessionId: string): Promise<PushRecord | null> {
    const { rows } = await this.database.pool.query<SessionPushRow>(
      `SELECT * FROM session_push WHERE session_id = $1 AND status = 'done' ORDER BY began_at DESC, id DESC LIMIT 1`,
      [sessionId],
    );
    return rows[0] ? pushFromRow(rows[0]) : null;
  }

  /** The remote has it, which the audit log shows from then on. False: the push is over already. */
  async complete(
    pushId: string,
    { branch, commit, remote, createUrl }: PushAnswer,
    { teamId, userName, turnId }: { teamId: string; userName: string; turnId?: string },
  ): Promise<boolean> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rows } = await tx.query<Pick<SessionPushRow, 'session_id' | 'user_id' | 'is_forced'>>(
        `UPDATE session_push SET status = 'done', active_session_id = NULL, ended_at = now(), branch = $2, commit = $3,
         remote = $4, create_url = $5 WHERE id = $1 AND status = 'running'
         RETURNING session_id, user_id, is_forced`,
        [pushId, storableText(branch), commit, storableText(remote), createUrl ?? null],
      );
      const [row] = rows;
      if (!row) return false;
      await insertAuditEntry(tx, {
        teamId,
        userId: row.user_id,
        userName,
        action: 'session:push',
        object: row.session_id,
        detail: { branch, commit, remote, forced: row.is_forced, ...(turnId === undefined ? {} : { turnId }) },
      });
      return true;
    });
  }

  async fail(pushId: string, { code, detail }: PushFailure): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE session_push SET status = 'failed', active_session_id = NULL, ended_at = now(), error_code = $2, error_detail = $3
       WHERE id = $1 AND status = 'running'`,
      [pushId, code, storableText(detail)],
    );
    return rowCount === 1;
  }
}

function pushFromRow(row: SessionPushRow): PushRecord {
  const { branch, commit, remote } = row;
  const isDone = row.status === 'done' && branch !== null && commit !== null && remote !== null;
  return {
    id: row.id,
    order: { sessionId: row.session_id, userId: row.user_id, branch, isForced: row.is_forced },
    status: row.status,
    pushed: isDone
      ? { branch, commit, remote, ...(row.create_url === null ? {} : { createUrl: row.create_url }) }
      : null,
    error: row.error_code === null ? null : { code: row.error_code, detail: row.error_detail ?? '' },
    endedAt: row.ended_at,
  };
}
