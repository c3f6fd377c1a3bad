import { Injectable } from '@nestjs/common';
import type { Budget, CreateBudget, Page } from '@chirality/contracts';
import { BudgetRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import { chosenTeam } from '../access/chosen-team';
import { teamIdsOf, type Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { problems } from '../core/problem/problems';

@Injectable()
export class BudgetsService {
  constructor(
    private readonly budgets: BudgetRepository,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, teamId: string | undefined): Promise<Page<Budget>> {
    const team = chosenTeam(who, teamId);
    if (!teamPolicy.readOwnCost(who, team)) throw problems.forbidden('see budgets', team.id);
    return wholePage(await this.visible(who, team.id));
  }

  async create(who: Principal, { teamId, subjectId, ...budget }: CreateBudget): Promise<Budget> {
    const team = chosenTeam(who, teamId);
    if (!teamPolicy.manage(who, team)) throw problems.forbidden('set budgets', team.id);
    if (budget.scope !== 'team' && subjectId === undefined)
      throw new ProblemError('VALIDATION_FAILED', `Say with subjectId which ${budget.scope} is meant.`);
    const created = await this.budgets.create({
      ...budget,
      teamId: team.id,
      subjectId: subjectId ?? team.id,
      createdById: who.user.id,
    });
    if (created === 'no_subject') throw problems.notFound(budget.scope);
    if (created === 'exists')
      throw new ProblemError('CONFLICT', 'This budget already exists. Change its limit instead.');
    await this.audit.note(who, team.id, {
      action: 'budget:create',
      object: created.id,
      detail: { ...budget, subjectId: subjectId ?? team.id },
    });
    return this.find(who, created.id);
  }

  async setLimit(who: Principal, budgetId: string, limitUsd: string): Promise<Budget> {
    const budget = await this.changeable(who, budgetId);
    await this.budgets.setLimit(budget.id, limitUsd);
    await this.audit.note(who, budget.teamId, {
      action: 'budget:limit',
      object: budget.id,
      detail: { from: budget.limitUsd, to: limitUsd },
    });
    return this.find(who, budget.id);
  }

  async remove(who: Principal, budgetId: string): Promise<void> {
    const budget = await this.changeable(who, budgetId);
    if (!(await this.budgets.remove(budget.id))) throw problems.notFound('budget');
    await this.audit.note(who, budget.teamId, {
      action: 'budget:remove',
      object: budget.id,
      detail: { limitUsd: budget.limitUsd },
    });
  }

  private async changeable(who: Principal, budgetId: string): Promise<Budget> {
    const budget = await this.find(who, budgetId);
    if (!teamPolicy.manage(who, { id: budget.teamId })) throw problems.forbidden('change budgets', budget.teamId);
    return budget;
  }

  private async find(who: Principal, budgetId: string): Promise<Budget> {
    for (const teamId of teamIdsOf(who)) {
      const budget = (await this.visible(who, teamId)).find(({ id }) => id === budgetId);
      if (budget) return budget;
    }
    throw problems.notFound('budget');
  }

  /** All of them for a user who may see what everyone spent, else those that are about the person. */
  private async visible(who: Principal, teamId: string): Promise<Budget[]> {
    const all = await this.budgets.list(teamId);
    return teamPolicy.readCost(who, { id: teamId }) ? all : all.filter(({ subjectId }) => subjectId === who.user.id);
  }
}
