import { Injectable } from '@nestjs/common';
import type { Session, TurnKind } from '@chirality/contracts';
import { BudgetSpendingRepository } from '@chirality/database';
import { usedUpSentence } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../auth/principal';

/** Lets no turn begin that a hard budget has nothing left for. */
@Injectable()
export class BudgetGate {
  constructor(private readonly spending: BudgetSpendingRepository) {}

  /** Null when the turn may begin. A boot asks the model nothing that costs. */
  async refusal(who: Principal, session: Session, kind: TurnKind): Promise<ProblemError | null> {
    if (kind === 'boot') return null;
    const used = await this.spending.findUsedUp({ teamId: session.teamId, projectId: session.projectId, sessionId: session.id, userId: who.user.id });
    return used && new ProblemError('BUDGET_EXCEEDED', usedUpSentence(used), { budgetId: used.id, scope: used.scope, period: used.period });
  }
}
