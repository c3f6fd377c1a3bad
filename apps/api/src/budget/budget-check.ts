import { Injectable } from '@nestjs/common';
import type { Session, TurnKind } from '@chirality/contracts';
import { BudgetSpendingRepository } from '@chirality/database';
import { usedUpSentence } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { BillingAccount } from '../key/billing-account';

/** Lets no turn begin that a hard budget has nothing left for. */
@Injectable()
export class BudgetCheck {
  constructor(
    private readonly spending: BudgetSpendingRepository,
    private readonly account: BillingAccount,
  ) {}

  /**
   * Null when the turn may begin. A boot asks the model nothing that costs, and the demo model nothing at all: should
   * there be a key by the time that the turn asks, the worker holds each request against the budget.
   */
  async refusal(who: Principal, session: Session, kind: TurnKind): Promise<ProblemError | null> {
    if (kind === 'boot') return null;
    const used = await this.spending.findUsedUp({
      teamId: session.teamId,
      projectId: session.projectId,
      sessionId: session.id,
      userId: who.user.id,
    });
    if (used === null || (await this.account.isDemo(session.teamId, who.user.id))) return null;
    const now = new Date();
    const reset = await this.spending.resetOf(used, now);
    return new ProblemError('BUDGET_EXCEEDED', usedUpSentence(used, reset, now), {
      budgetId: used.id,
      scope: used.scope,
      period: used.period,
      resetsAt: reset?.at.toISOString() ?? null,
    });
  }
}
