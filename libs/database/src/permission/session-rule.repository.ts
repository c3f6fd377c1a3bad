import type { SessionRule } from '@chirality/contracts';
import type { Tx } from '../connection/database';

interface SessionRuleRow {
  id: string;
  session_id: string;
  tool: string;
  pattern: string | null;
  created_by_id: string;
  created_by_name: string;
  created_at: Date;
}

/** What people allowed for the whole session. A rule without pattern is for the whole tool. */
export class SessionRuleRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /** Oldest first. */
  async list(sessionId: string): Promise<SessionRule[]> {
    const { rows } = await this.database.pool.query<SessionRuleRow>('SELECT * FROM session_rule WHERE session_id = $1 ORDER BY created_at, id', [sessionId]);
    return rows.map((row) => ({
      id: row.id,
      sessionId: row.session_id,
      tool: row.tool,
      pattern: row.pattern,
      createdBy: { userId: row.created_by_id, name: row.created_by_name },
      createdAt: row.created_at.toISOString(),
    }));
  }

  /** False when this session has no such rule. */
  async remove(sessionId: string, ruleId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query('DELETE FROM session_rule WHERE id = $1 AND session_id = $2', [ruleId, sessionId]);
    return rowCount === 1;
  }
}
