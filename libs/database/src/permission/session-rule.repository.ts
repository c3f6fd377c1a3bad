import type { SessionRule } from '@chirality/contracts';
import { tooWide } from '@chirality/domain';
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
    const { rows } = await this.database.pool.query<SessionRuleRow>(
      'SELECT * FROM session_rule WHERE session_id = $1 ORDER BY created_at, id',
      [sessionId],
    );
    return rows.map(ruleFromRow);
  }

  /** Of all sessions of a project that are not archived, oldest first. */
  async listOfProject(projectId: string): Promise<SessionRule[]> {
    const { rows } = await this.database.pool.query<SessionRuleRow>(
      'SELECT r.* FROM session s JOIN session_rule r ON r.session_id = s.id WHERE s.project_id = $1 AND s.archived_at IS NULL ORDER BY r.created_at, r.id',
      [projectId],
    );
    return rows.map(ruleFromRow);
  }

  /** The rule of one of the project's sessions that is gone now; null when none has it. */
  async removeFromProject(projectId: string, ruleId: string): Promise<SessionRule | null> {
    const { rows } = await this.database.pool.query<SessionRuleRow>(
      'DELETE FROM session_rule r USING session s WHERE r.id = $2 AND s.id = r.session_id AND s.project_id = $1 RETURNING r.*',
      [projectId, ruleId],
    );
    return rows[0] ? ruleFromRow(rows[0]) : null;
  }

  /** False when this session has no such rule. */
  async remove(sessionId: string, ruleId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query('DELETE FROM session_rule WHERE id = $1 AND session_id = $2', [
      ruleId,
      sessionId,
    ]);
    return rowCount === 1;
  }
}

function ruleFromRow(row: SessionRuleRow): SessionRule {
  return {
    id: row.id,
    sessionId: row.session_id,
    tool: row.tool,
    pattern: row.pattern,
    tooWide: tooWide({ tool: row.tool, pattern: row.pattern }),
    createdBy: { userId: row.created_by_id, name: row.created_by_name },
    createdAt: row.created_at.toISOString(),
  };
}
