import type { SessionRule } from '@chirality/contracts';
import { tooWide } from '@chirality/domain';
import { columnsOf } from '../connection/columns-of';
import type { Database } from '../connection/database';
import type { SessionRule as SessionRuleRecord } from '../generated/client';

const COLUMNS = columnsOf('SessionRule', { of: 'r' });

/** What people allowed for the whole session. A rule without pattern is for the whole tool. */
export class SessionRuleRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** Oldest first. */
  async list(sessionId: string): Promise<SessionRule[]> {
    const rows = await this.database.prisma.sessionRule.findMany({
      where: { sessionId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(ruleFromRow);
  }

  /** Of all sessions of a project that are not archived, oldest first. */
  async listOfProject(projectId: string): Promise<SessionRule[]> {
    const { rows } = await this.database.pool.query<SessionRuleRecord>(
      `SELECT ${COLUMNS} FROM session s JOIN session_rule r ON r.session_id = s.id WHERE s.project_id = $1
        AND s.archived_at IS NULL ORDER BY r.created_at, r.id`,
      [projectId],
    );
    return rows.map(ruleFromRow);
  }

  /** The rule of one of the project's sessions that is gone now; null when none has it. */
  async removeFromProject(projectId: string, ruleId: string): Promise<SessionRule | null> {
    const { rows } = await this.database.pool.query<SessionRuleRecord>(
      `DELETE FROM session_rule r USING session s WHERE r.id = $2 AND s.id = r.session_id AND s.project_id = $1
        RETURNING ${COLUMNS}`,
      [projectId, ruleId],
    );
    return rows[0] ? ruleFromRow(rows[0]) : null;
  }

  /** False when this session has no such rule. */
  async remove(sessionId: string, ruleId: string): Promise<boolean> {
    const { count } = await this.database.prisma.sessionRule.deleteMany({ where: { id: ruleId, sessionId } });
    return count === 1;
  }
}

function ruleFromRow(row: SessionRuleRecord): SessionRule {
  return {
    id: row.id,
    sessionId: row.sessionId,
    tool: row.tool,
    pattern: row.pattern,
    tooWide: tooWide({ tool: row.tool, pattern: row.pattern }),
    createdBy: { userId: row.createdById, name: row.createdByName },
    createdAt: row.createdAt.toISOString(),
  };
}
