import type { Tx } from '../connection/database';
import type { ParkedProcessRow, WorkerRow } from '../generated/rows';
import { mayNotWorkSql } from '../session/may-not-work';

/** At most one process is asked for ahead of a turn in this time, per session. */
const AHEAD_EVERY_MS = 60_000;

interface NewParkedProcess {
  sessionId: string;
  workerId: string;
  userId: string;
  spawnKey: string;
  origin: ParkedProcessRow['origin'];
  /** The latest moment at which it still waits. */
  expiresInMs: number;
}

export type ForbiddenReason = 'archived' | 'member_removed';

const live = (worker: string) => `${worker}.stopped_at IS NULL AND ${worker}.lease_expires_at > now()`;

/**
 * Takes the session's one ask of this minute, and says which worker it goes to: the one that holds the session, else
 * the one with the least to do. Nothing is taken while a turn is live or a process waits already.
 */
const ASK_SQL = `
UPDATE session s SET ahead_asked_at = now()
WHERE s.id = $1 AND s.archived_at IS NULL AND s.mode <> 'pipeline' AND s.workspace = 'own'
  AND (s.ahead_asked_at IS NULL OR s.ahead_asked_at <= now() - $2 * interval '1 millisecond')
  AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.active_session_id = s.id)
  AND NOT EXISTS (SELECT 1 FROM parked_process p JOIN worker w ON w.id = p.worker_id WHERE p.session_id = s.id
    AND p.expires_at > now() AND ${live('w')})
RETURNING coalesce(
  (SELECT w.id FROM worker w WHERE w.id = s.holder_worker_id AND s.harness = ANY (w.harnesses) AND ${live('w')}),
  (SELECT w.id FROM worker w WHERE ${live('w')} AND s.harness = ANY (w.harnesses) AND NOT w.draining
    AND w.sandbox <> 'unavailable'
   ORDER BY (SELECT count(*) FROM turn t WHERE t.worker_id = w.id AND t.active_session_id IS NOT NULL), w.id LIMIT 1)
) AS worker_id`;

/** A process may keep waiting while its person could still send a turn: the same rule as for sending one. */
const FORBIDDEN_SQL = `
SELECT p.session_id, CASE WHEN s.archived_at IS NOT NULL THEN 'archived' ELSE 'member_removed' END AS reason
FROM parked_process p JOIN session s ON s.id = p.session_id
WHERE p.worker_id = $1 AND (s.archived_at IS NOT NULL OR ${mayNotWorkSql('s', 'p.user_id')})`;

/** The rows of processes that wait for their session's next turn. A worker writes only its own. */
export class ParkedProcessRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /** The worker to ask for a process ahead of the session's next turn; null when none is to be asked for now. */
  async askAhead(sessionId: string): Promise<string | null> {
    const { rows } = await this.database.pool.query<{ worker_id: WorkerRow['id'] | null }>({
      name: 'ask_ahead',
      text: ASK_SQL,
      values: [sessionId, AHEAD_EVERY_MS],
    });
    return rows[0]?.worker_id ?? null;
  }

  async put({ sessionId, workerId, userId, spawnKey, origin, expiresInMs }: NewParkedProcess): Promise<void> {
    await this.database.pool.query({
      name: 'put_parked_process',
      text: `INSERT INTO parked_process (session_id, worker_id, user_id, spawn_key, origin, expires_at)
        VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')
        ON CONFLICT (session_id) DO UPDATE SET worker_id = EXCLUDED.worker_id, user_id = EXCLUDED.user_id,
          spawn_key = EXCLUDED.spawn_key,
          origin = EXCLUDED.origin, since = now(), expires_at = EXCLUDED.expires_at`,
      values: [sessionId, workerId, userId, spawnKey, origin, expiresInMs],
    });
  }

  /** The worker's own row of the session; another worker's stays. */
  async remove(sessionId: string, workerId: string): Promise<void> {
    await this.database.pool.query('DELETE FROM parked_process WHERE session_id = $1 AND worker_id = $2', [
      sessionId,
      workerId,
    ]);
  }

  /** Whatever an earlier life of the worker left, and what has outlived its time anywhere. */
  async removeLeftovers(workerId: string): Promise<void> {
    await this.database.pool.query('DELETE FROM parked_process WHERE worker_id = $1 OR expires_at < now()', [workerId]);
  }

  /**
   * The sessions whose process must not wait any longer: archived ones, and those in which its person may no longer
   * write.
   */
  async listForbidden(workerId: string): Promise<{ sessionId: string; reason: ForbiddenReason }[]> {
    const { rows } = await this.database.pool.query<Pick<ParkedProcessRow, 'session_id'> & { reason: ForbiddenReason }>(
      {
        name: 'forbidden_processes',
        text: FORBIDDEN_SQL,
        values: [workerId],
      },
    );
    return rows.map(({ session_id: sessionId, reason }) => ({ sessionId, reason }));
  }
}
