import type { Page, QueueState, Turn } from '@chirality/contracts';
import type { Database } from '../connection/database';
import type { IdempotencyKeyRow, PermissionRow, SessionRow, TurnRow, WorkerRow } from '../generated/rows';
import { TURN_COLUMNS, turnFromRow, type PlacedTurnRow } from './turn-row';

/** What a worker has to notice about its own live turns. */
interface TurnSignals {
  interrupts: { sessionId: string; turnId: string; userId: string | null }[];
  answered: { sessionId: string; turnId: string; permissionId: string }[];
}

interface SignalRow extends Pick<TurnRow, 'session_id'> {
  turn_id: TurnRow['id'];
  user_id: TurnRow['interrupted_by_id'];
  permission_id: PermissionRow['id'] | null;
}

interface QueueRow {
  queued: number;
  running: number;
  waiting: number;
  oldest_ms: string | null;
}

export class TurnRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Null for an unknown id and for a turn of another session. */
  async find(sessionId: string, turnId: string): Promise<Turn | null> {
    return this.one('find_turn', 't.id = $1 AND t.session_id = $2', [turnId, sessionId]);
  }

  /** What a kept key stands for, without accepting anything. */
  async findByKey(
    author: { userId: string; sessionId: string },
    { key, bodyHash }: { key: string; bodyHash: string },
  ): Promise<{ outcome: 'replayed'; turn: Turn } | { outcome: 'mismatch' } | null> {
    const { rows } = await this.database.pool.query<PlacedTurnRow & Pick<IdempotencyKeyRow, 'body_hash'>>(
      `SELECT ${TURN_COLUMNS}, k.body_hash FROM idempotency_key k JOIN turn t ON t.id = k.turn_id
       WHERE k.user_id = $1 AND k.session_id = $2 AND k.key = $3 AND k.expires_at > now()`,
      [author.userId, author.sessionId, key],
    );
    const row = rows[0];
    if (!row) return null;
    return row.body_hash === bodyHash ? { outcome: 'replayed', turn: turnFromRow(row) } : { outcome: 'mismatch' };
  }

  /** The turn that holds the session now, queued ones included. */
  async findActive(sessionId: string): Promise<Turn | null> {
    return this.one('find_active_turn', 't.active_session_id = $1', [sessionId]);
  }

  /** The sessions of a project in which a turn is live. */
  async listActiveSessions(projectId: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<Pick<SessionRow, 'id'>>(
      'SELECT s.id FROM session s JOIN turn t ON t.active_session_id = s.id WHERE s.project_id = $1 ORDER BY s.id',
      [projectId],
    );
    return rows.map(({ id }) => id);
  }

  /** The turns of a project that wait for people, and the workers that they run on. */
  async listWaiting(projectId: string): Promise<{ sessionId: string; turnId: string; workerId: string }[]> {
    const { rows } = await this.database.pool.query<Pick<TurnRow, 'session_id' | 'id'> & { worker_id: string }>(
      `SELECT t.session_id, t.id, t.worker_id FROM session s JOIN turn t ON t.active_session_id = s.id
       WHERE s.project_id = $1 AND t.status = 'awaiting_permission' AND t.worker_id IS NOT NULL ORDER BY t.id`,
      [projectId],
    );
    return rows.map((row) => ({ sessionId: row.session_id, turnId: row.id, workerId: row.worker_id }));
  }

  /** Latest first. */
  async list(sessionId: string, { cursor, limit }: { cursor?: string; limit: number }): Promise<Page<Turn>> {
    const { rows } = await this.database.pool.query<PlacedTurnRow>(
      `SELECT ${TURN_COLUMNS} FROM turn t WHERE t.session_id = $1 AND ($2::text IS NULL OR t.id < $2)
        ORDER BY t.id DESC LIMIT $3`,
      [sessionId, cursor ?? null, limit + 1],
    );
    const data = rows.slice(0, limit).map(turnFromRow);
    return { data, nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
  }

  /**
   * What a worker should look at without a signal: turns queued for longer than that, oldest first, whose wake-up
   * may be lost, with the live worker that alone may claim each; and turns that have been starting for as long, whose
   * worker may not know that it has them.
   */
  async findUnattendedTurns({
    olderThanMs,
    limit = 20,
  }: {
    olderThanMs: number;
    limit?: number;
  }): Promise<{ turnId: string; workerId: string | null }[]> {
    const { rows } = await this.database.pool.query<{ id: TurnRow['id']; worker_id: WorkerRow['id'] | null }>(
      `SELECT t.id, w.id AS worker_id FROM turn t JOIN session s ON s.id = t.session_id
       LEFT JOIN shared_workspace shared ON shared.id = s.shared_workspace_id
       LEFT JOIN worker w ON w.id = coalesce(t.worker_id,
         CASE WHEN shared.id IS NULL THEN s.holder_worker_id ELSE shared.holder_worker_id END) AND w.stopped_at IS NULL
         AND w.lease_expires_at > now()
       WHERE t.status IN ('queued', 'starting') AND coalesce(t.started_at,
         t.queued_at) <= now() - $1 * interval '1 millisecond'
       ORDER BY t.queued_at LIMIT $2`,
      [olderThanMs, limit],
    );
    return rows.map((row) => ({ turnId: row.id, workerId: row.worker_id }));
  }

  /**
   * Interrupts that were asked for, and answers to what its turns wait for. The same ones again until the turn
   * continues.
   */
  async readSignals(workerId: string): Promise<TurnSignals> {
    const { rows } = await this.database.pool.query<SignalRow>(
      `SELECT t.session_id, t.id AS turn_id, t.interrupted_by_id AS user_id, NULL AS permission_id
       FROM turn t WHERE t.worker_id = $1 AND t.active_session_id IS NOT NULL AND t.interrupt_requested_at IS NOT NULL
       UNION ALL
       SELECT t.session_id, t.id, NULL, p.id
       FROM turn t JOIN permission p ON p.turn_id = t.id
       WHERE t.worker_id = $1 AND t.status = 'awaiting_permission' AND p.outcome IS NOT NULL`,
      [workerId],
    );
    const signals: TurnSignals = { interrupts: [], answered: [] };
    for (const { session_id: sessionId, turn_id: turnId, user_id: userId, permission_id: permissionId } of rows) {
      if (permissionId === null) signals.interrupts.push({ sessionId, turnId, userId });
      else signals.answered.push({ sessionId, turnId, permissionId });
    }
    return signals;
  }

  /** Over all teams, or one. */
  async queueState(teamId?: string): Promise<Omit<QueueState, 'workspaces'>> {
    const { rows } = await this.database.pool.query<QueueRow>(
      `SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
         count(*) FILTER (WHERE status IN ('starting', 'running', 'finishing'))::int AS running,
         count(*) FILTER (WHERE status = 'awaiting_permission')::int AS waiting,
         floor(extract(epoch FROM now() - min(queued_at) FILTER (WHERE status = 'queued')) * 1000)::bigint AS oldest_ms
       FROM turn WHERE active_session_id IS NOT NULL AND ($1::text IS NULL OR team_id = $1)`,
      [teamId ?? null],
    );
    const { queued = 0, running = 0, waiting = 0, oldest_ms: oldestMs = null } = rows[0] ?? {};
    return { queued, running, waiting, oldestQueuedMs: oldestMs === null ? null : Math.max(0, Number(oldestMs)) };
  }

  private async one(name: string, condition: string, values: unknown[]): Promise<Turn | null> {
    // Named, so that the statement is not planned each time, which takes longer than the look-up itself.
    const { rows } = await this.database.pool.query<PlacedTurnRow>({
      name,
      text: `SELECT ${TURN_COLUMNS} FROM turn t WHERE ${condition}`,
      values,
    });
    return rows[0] ? turnFromRow(rows[0]) : null;
  }
}
