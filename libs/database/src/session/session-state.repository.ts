import type { Tx } from '../connection/database';

/** What the next turn of a session starts from. Written by workers; `tx` joins a write to a turn's transition. */
export class SessionStateRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /** The conversation that the next turn resumes. */
  async setClaudeSession(
    sessionId: string,
    claudeSessionId: string | null,
    tx: Tx = this.database.pool,
  ): Promise<void> {
    await tx.query('UPDATE session SET claude_session_id = $2 WHERE id = $1', [sessionId, claudeSessionId]);
  }

  async setBoot(sessionId: string, bootFingerprint: string, tx: Tx = this.database.pool): Promise<void> {
    await tx.query('UPDATE session SET boot_fingerprint = $2, booted_at = now() WHERE id = $1', [
      sessionId,
      bootFingerprint,
    ]);
  }
}
