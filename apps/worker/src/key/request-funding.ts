import type { TurnError } from '@chirality/contracts';
import type { BudgetSpendingRepository } from '@chirality/database';
import { compareMoney, wouldExceedSentence, type RequestBounds } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import type { TurnUsageBinding } from './turn-costs';
import { TurnFailure } from '../outcome/turn-failure';

export type Funding = {
  /**
   * The request with an answer so short that it costs no more than was reserved; null where it may cost all that it
   * asks for.
   */
  shortened: Buffer | null;
  settle(usedUsd: string, stored: Promise<void>): void;
};

/**
 * Reserves for each request what it may cost, within the turn's own budget and every budget that binds its author,
 * session, project or team.
 */
export class RequestFunding {
  constructor(
    private readonly spending: Pick<BudgetSpendingRepository, 'isBound' | 'reserve' | 'release' | 'resetOf'>,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** Whether a budget beside the turn's own binds it; to be asked while other things are. */
  isBound({ teamId, projectId, sessionId, authorId }: TurnUsageBinding): Promise<boolean> {
    const bound = this.spending.isBound({ teamId, projectId, sessionId, userId: authorId });
    // Not looked at where the request is refused for something else.
    bound.catch(() => undefined);
    return bound;
  }

  /**
   * `wait`: what is missing is held by other open requests, and a patient one asks again. Throws a TurnFailure when
   * what is left does not pay for a short answer. `bounds` is asked only where something limits the turn.
   */
  async reserve(
    binding: TurnUsageBinding,
    bounds: () => RequestBounds,
    patient: boolean,
    bound: Promise<boolean>,
  ): Promise<Funding | 'wait'> {
    const { turnId, teamId, projectId, sessionId, authorId, payments } = binding;
    const { budget } = payments;
    if ((budget.limitUsd !== null || (await bound)) && !bounds().isPriced)
      throw new TurnFailure(withoutPrice(bounds().model));
    const own = budget.limitUsd === null ? null : budget.reserve(bounds(), patient);
    if (own?.outcome === 'wait') return 'wait';
    if (own?.outcome === 'exceeded')
      throw new TurnFailure(overBudget(own.limit.limitUsd, own.limit.spentUsd, bounds().leastUsd));
    const ofTurn = own?.reservation ?? null;
    const wanted = () => ({ leastUsd: bounds().leastUsd, mostUsd: ofTurn?.amountUsd ?? bounds().mostUsd });
    const shared = await this.spending
      .reserve({ turnId, teamId, projectId, sessionId, userId: authorId }, wanted, patient, bound)
      .catch((error: unknown) => {
        ofTurn?.settle('0');
        throw error;
      });
    if (shared.outcome === 'wait' || shared.outcome === 'exceeded') ofTurn?.settle('0');
    if (shared.outcome === 'wait') return 'wait';
    if (shared.outcome === 'exceeded') {
      const now = new Date();
      throw new TurnFailure({
        code: 'BUDGET_EXCEEDED',
        detail: wouldExceedSentence(shared.budget, await this.spending.resetOf(shared.budget, now), now),
      });
    }
    const grantedUsd = shared.outcome === 'reserved' ? shared.amountUsd : (ofTurn?.amountUsd ?? null);
    return {
      shortened:
        grantedUsd === null || compareMoney(grantedUsd, bounds().mostUsd) >= 0
          ? null
          : Buffer.from(bounds().within(grantedUsd)),
      settle: (usedUsd, stored) => {
        ofTurn?.settle(usedUsd);
        if (shared.outcome !== 'reserved') return;
        // Not before what was used counts itself.
        void stored
          .then(() => this.spending.release(shared.reservationId))
          .catch((error: Error) => this.log.warn({ err: error, turn: turnId }, 'budget.not_released'));
      },
    };
  }
}

function withoutPrice(model: string): TurnError {
  return {
    code: 'BUDGET_EXCEEDED',
    detail: `There is no price for the model ${model.slice(0, 120)}, so a budget cannot count what it costs. Choose another model, or have an owner of this installation add a price for it.`,
  };
}

function overBudget(limitUsd: string, spentUsd: string, leastUsd: string): TurnError {
  return {
    code: 'BUDGET_EXCEEDED',
    detail: `The turn may spend $${limitUsd} and has spent $${spentUsd}; its next request could cost $${leastUsd} even with a short answer. What was done so far is kept. Raise maxBudgetUsd and send a message to continue, or ask for a smaller step.`,
  };
}
