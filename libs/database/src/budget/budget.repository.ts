import type { Budget, BudgetKind, BudgetPeriod, BudgetScope } from '@chirality/contracts';
import { newId, percentOf } from '@chirality/domain';
import type { Database } from '../connection/database';
import type { BudgetRow, ProjectRow, SessionRow, TeamRow, UserRow } from '../generated/rows';
import { openBudgets } from './open-budgets';

type NewBudget = {
  teamId: string;
  scope: BudgetScope;
  subjectId: string;
  period: BudgetPeriod;
  kind: BudgetKind;
  limitUsd: string;
  createdById: string;
};

/** The name of what it is about: of a project, a session, a person or the team. */
type NameRow = Pick<BudgetRow, 'id' | 'created_at'> & {
  name: ProjectRow['name'] | SessionRow['title'] | UserRow['name'] | TeamRow['name'] | null;
};

const NAME_SQL = `
SELECT b.id, b.created_at, CASE b.scope
  WHEN 'project' THEN (SELECT CASE WHEN p.deleted_at IS NULL THEN p.name ELSE 'Deleted project' END FROM project p WHERE p.id = b.subject_id)
  WHEN 'session' THEN (SELECT CASE WHEN s.deleted_at IS NULL THEN s.title ELSE 'Deleted session' END FROM session s WHERE s.id = b.subject_id)
  WHEN 'user' THEN (SELECT u.name FROM "user" u WHERE u.id = b.subject_id)
  ELSE t.name END AS name
FROM budget b JOIN team t ON t.id = b.team_id WHERE b.team_id = $1`;

export class BudgetRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** A team's budgets with what was spent in their present windows; oldest first. */
  async list(teamId: string): Promise<Budget[]> {
    const states = new Map(
      (await openBudgets(this.database.pool, teamId, null, new Date())).map((state) => [state.id, state]),
    );
    const { rows } = await this.database.pool.query<NameRow>(`${NAME_SQL} ORDER BY b.created_at, b.id`, [teamId]);
    return rows.flatMap(({ id, name, created_at }) => {
      const state = states.get(id);
      if (!state) return [];
      const { scope, subjectId, period, kind, limitUsd, spentUsd, windowStart } = state;
      const since = period === 'total' ? null : windowStart.toISOString();
      return [
        {
          id,
          teamId,
          scope,
          subjectId,
          subjectName: name ?? subjectId,
          period,
          kind,
          limitUsd,
          spentUsd,
          percent: percentOf(spentUsd, limitUsd),
          since,
          createdAt: created_at.toISOString(),
        },
      ];
    });
  }

  /**
   * `no_subject`: nothing of that scope and id is in the team. `exists`: the subject has one of that period and kind.
   */
  async create(budget: NewBudget): Promise<{ id: string } | 'no_subject' | 'exists'> {
    const { teamId, scope, subjectId, period, kind, limitUsd, createdById } = budget;
    if (!(await this.hasSubject(teamId, scope, subjectId))) return 'no_subject';
    const id = newId('budget');
    const { rowCount } = await this.database.pool.query(
      `INSERT INTO budget (id, team_id, scope, subject_id, period, kind, limit_usd, created_by_id) VALUES ($1, $2, $3,
        $4, $5, $6, $7, $8)
       ON CONFLICT (team_id, subject_id, period, kind) DO NOTHING`,
      [id, teamId, scope, subjectId, period, kind, limitUsd, createdById],
    );
    if (rowCount !== 1) return 'exists';
    // Counted now, while the caller expects a wait, and not when the next turn asks. If that fails, the next reader
    // tries again.
    await openBudgets(this.database.pool, teamId, [subjectId], new Date()).catch(() => undefined);
    return { id };
  }

  /** The thresholds of the new limit are announced again. */
  async setLimit(budgetId: string, limitUsd: string): Promise<void> {
    await this.database.pool.query(
      `WITH changed AS (UPDATE budget SET limit_usd = $2 WHERE id = $1 RETURNING id)
       UPDATE budget_window w SET notified_percent = 0 FROM changed WHERE w.budget_id = changed.id`,
      [budgetId, limitUsd],
    );
  }

  async remove(budgetId: string): Promise<boolean> {
    const { count } = await this.database.prisma.budget.deleteMany({ where: { id: budgetId } });
    return count === 1;
  }
  /** Whether the subject belongs to the team. */
  private async hasSubject(teamId: string, scope: BudgetScope, subjectId: string): Promise<boolean> {
    const { prisma } = this.database;
    const counts = {
      team: () => prisma.team.count({ where: { AND: [{ id: teamId }, { id: subjectId }] } }),
      project: () => prisma.project.count({ where: { teamId, id: subjectId } }),
      session: () => prisma.session.count({ where: { teamId, id: subjectId } }),
      user: () => prisma.membership.count({ where: { teamId, userId: subjectId } }),
    };
    return (await counts[scope]()) > 0;
  }
}
