import type { Tx } from '../connection/database';

export interface SessionHolding {
  stateVersion: number;
  stateKey: string | null;
  holderWorkerId: string | null;
  /** Whether the holder's lease is good. */
  holderIsLive: boolean;
  claudeSessionId: string | null;
}

/** Where a session's conversation and files are. Written by workers; `tx` joins a write to a turn's transition. */
export class SessionStateRepository {
  constructor(private readonly database: { pool: Tx }) {}

  async find(sessionId: string): Promise<SessionHolding | null> {
    const { rows } = await this.database.pool.query<{ state_version: number; state_key: string | null; holder_worker_id: string | null; live: boolean; claude_session_id: string | null }>(
      `SELECT s.state_version, s.state_key, s.holder_worker_id, s.claude_session_id, w.id IS NOT NULL AS live
       FROM session s LEFT JOIN worker w ON w.id = s.holder_worker_id AND w.stopped_at IS NULL AND w.lease_expires_at > now()
       WHERE s.id = $1`,
      [sessionId],
    );
    const row = rows[0];
    return row
      ? { stateVersion: row.state_version, stateKey: row.state_key, holderWorkerId: row.holder_worker_id, holderIsLive: row.live, claudeSessionId: row.claude_session_id }
      : null;
  }

  /** The conversation that the next turn resumes. */
  async setClaudeSession(sessionId: string, claudeSessionId: string | null, tx: Tx = this.database.pool): Promise<void> {
    await tx.query('UPDATE session SET claude_session_id = $2 WHERE id = $1', [sessionId, claudeSessionId]);
  }

  async setBoot(sessionId: string, bootFingerprint: string, tx: Tx = this.database.pool): Promise<void> {
    await tx.query('UPDATE session SET boot_fingerprint = $2, booted_at = now() WHERE id = $1', [sessionId, bootFingerprint]);
  }

  /**
   * Points the session to a newly stored state: from version `fromVersion` to the next one. False, and nothing changes,
   * when another state was stored meanwhile or this worker does not hold the session any more.
   */
  async moveState(move: { sessionId: string; workerId: string; fromVersion: number; key: string }): Promise<{ stateVersion: number } | null> {
    const { rows } = await this.database.pool.query<{ state_version: number }>(
      `UPDATE session SET state_version = state_version + 1, state_key = $4
       WHERE id = $1 AND holder_worker_id = $2 AND state_version = $3 RETURNING state_version`,
      [move.sessionId, move.workerId, move.fromVersion, move.key],
    );
    return rows[0] ? { stateVersion: rows[0].state_version } : null;
  }

  /** Lets any worker take the session's next turn: what this one has on disk is stored. */
  async releaseHolder(sessionId: string, workerId: string): Promise<void> {
    await this.database.pool.query('UPDATE session SET holder_worker_id = NULL WHERE id = $1 AND holder_worker_id = $2', [sessionId, workerId]);
  }
}
