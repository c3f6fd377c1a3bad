import type { ProjectRule, RuleEffect } from '@chirality/contracts';
import { newId, tooWide } from '@chirality/domain';
import { columnsOf } from '../connection/columns-of';
import type { Database, Tx } from '../connection/database';
import { foundOrNull } from '../connection/found-or-null';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { ProjectRule as ProjectRuleRecord } from '../generated/client';
import type { SessionRuleRow } from '../generated/rows';

interface NewProjectRule {
  projectId: string;
  tool: string;
  pattern: string | null;
  effect: RuleEffect;
  by: { userId: string; name: string };
}

const COLUMNS = columnsOf('ProjectRule');

/** The permission rules of a project. */
export class ProjectRuleRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** Oldest first. */
  async list(projectId: string): Promise<ProjectRule[]> {
    const rows = await this.database.prisma.projectRule.findMany({
      where: { projectId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(ruleFromRow);
  }

  /** The rule, new or the one that says the same already. */
  add(rule: NewProjectRule): Promise<{ rule: ProjectRule; created: boolean }> {
    return inTransaction(this.database.pool, (tx) => addRule(tx, rule));
  }

  /**
   * Moves a rule of one of the project's sessions to the project, as an allowance. Null when the session has no such
   * rule.
   */
  promote(
    sessionRule: { sessionId: string; ruleId: string },
    to: {
      projectId: string;
      by: NewProjectRule['by'];
      normalize(rule: { tool: string; pattern: string | null }): { pattern: string | null };
    },
  ): Promise<ProjectRule | null> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rows } = await tx.query<Pick<SessionRuleRow, 'tool' | 'pattern'>>(
        'DELETE FROM session_rule WHERE id = $1 AND session_id = $2 RETURNING tool, pattern',
        [sessionRule.ruleId, sessionRule.sessionId],
      );
      const [found] = rows;
      if (!found) return null;
      const { rule } = await addRule(tx, {
        projectId: to.projectId,
        tool: found.tool,
        pattern: to.normalize(found).pattern,
        effect: 'allow',
        by: to.by,
      });
      return rule;
    });
  }

  /** The rule that is gone now; null when this project has no such rule. */
  async remove(projectId: string, ruleId: string): Promise<ProjectRule | null> {
    const row = await foundOrNull(this.database.prisma.projectRule.delete({ where: { id: ruleId, projectId } }));
    return row && ruleFromRow(row);
  }
}

/** The project's row is locked, so that two people who add the same rule at once make one. */
async function addRule(
  tx: Tx,
  { projectId, tool, pattern, effect, by }: NewProjectRule,
): Promise<{ rule: ProjectRule; created: boolean }> {
  await tx.query('SELECT id FROM project WHERE id = $1 FOR NO KEY UPDATE', [projectId]);
  const values = [projectId, storableText(tool), pattern === null ? null : storableText(pattern), effect];
  const { rows: same } = await tx.query<ProjectRuleRecord>(
    `SELECT ${COLUMNS} FROM project_rule WHERE project_id = $1 AND tool = $2 AND pattern IS NOT DISTINCT FROM $3
      AND effect = $4`,
    values,
  );
  if (same[0]) return { rule: ruleFromRow(same[0]), created: false };
  const { rows } = await tx.query<ProjectRuleRecord>(
    `INSERT INTO project_rule (project_id, tool, pattern, effect, id, created_by_id, created_by_name)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
    [...values, newId('rule'), by.userId, storableText(by.name)],
  );
  return { rule: ruleFromRow(rows[0] as ProjectRuleRecord), created: true };
}

function ruleFromRow(row: ProjectRuleRecord): ProjectRule {
  return {
    id: row.id,
    projectId: row.projectId,
    tool: row.tool,
    pattern: row.pattern,
    effect: row.effect,
    tooWide: tooWide({ tool: row.tool, pattern: row.pattern, effect: row.effect }),
    createdBy: { userId: row.createdById, name: row.createdByName },
    createdAt: row.createdAt.toISOString(),
  };
}
