import type { Price, TurnError } from '@chirality/contracts';
import type { BudgetSpendingRepository, ModelKeyRepository } from '@chirality/database';
import { costOfRequest, maskText, mostCostOfRequest, wouldExceedSentence } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import type { Admission, MessageUsage, Paymaster } from '../gateway';
import type { TurnUsageBinding } from '../turn/turn-costs';
import { TurnFailure } from '../turn/turn-failure';
import { refusedKeySentence, type Account, type Author } from './account';
import type { AccountFinder } from './account-finder';
import type { Reservation, TurnBudget } from './turn-budget';

/** Counting tokens is free. */
const CHARGED_PATH = /^\/v1\/messages(\?|$)/;

/** An empty account is told as a request that was wrong. */
const NO_CREDIT = /credit balance/i;

/** Lets a turn's requests pass at the cost of its author's account and within the turn's budget. */
export class TurnPaymaster implements Paymaster<TurnUsageBinding> {
  constructor(
    private readonly accounts: Pick<AccountFinder, 'accountOf'>,
    private readonly keys: Pick<ModelKeyRepository, 'markUsed' | 'markFailed'>,
    private readonly spending: Pick<BudgetSpendingRepository, 'reserve' | 'release'>,
    private readonly prices: () => readonly Price[],
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  async admit(binding: TurnUsageBinding, request: { path: string; body: Buffer }): Promise<Admission | { refusal: string }> {
    const author = { teamId: binding.teamId, userId: binding.authorId, name: binding.authorName };
    try {
      const account = await this.accounts.accountOf(author);
      const reservation = account.demo || !CHARGED_PATH.test(request.path) ? null : await this.reserve(binding, request.body);
      return {
        payer: account,
        answered: (status, said) => this.noteAnswer(binding, account, author, status, said),
        ended: (used, stored) => reservation?.settle(used === null ? '0' : this.costOf(used), stored),
      };
    } catch (error) {
      if (!(error instanceof TurnFailure)) throw error;
      binding.payments.refuse(error.error);
      return { refusal: error.error.detail };
    }
  }

  /** Throws a TurnFailure when the request could pass the turn's budget, or one that binds its author, session, project or team. */
  private async reserve(binding: TurnUsageBinding, body: Buffer): Promise<{ settle(usedUsd: string, stored: Promise<void>): void }> {
    const { turnId, teamId, projectId, sessionId, authorId, payments } = binding;
    const mostUsd = once(() => mostCostOfRequest(this.prices(), body.toString('utf8'), new Date()));
    const ofTurn = this.reserveOfTurn(payments.budget, mostUsd);
    const shared = await this.spending.reserve({ turnId, teamId, projectId, sessionId, userId: authorId }, mostUsd).catch((error: unknown) => {
      ofTurn?.settle('0');
      throw error;
    });
    if (shared.outcome === 'exceeded') {
      ofTurn?.settle('0');
      throw new TurnFailure({ code: 'BUDGET_EXCEEDED', detail: wouldExceedSentence(shared.budget) });
    }
    return {
      settle: (usedUsd, stored) => {
        ofTurn?.settle(usedUsd);
        if (shared.outcome !== 'reserved') return;
        // Not before what was used counts itself.
        void stored.then(() => this.spending.release(shared.reservationId)).catch((error: Error) => this.log.warn({ err: error, turn: turnId }, 'budget.not_released'));
      },
    };
  }

  private reserveOfTurn(budget: TurnBudget, mostUsd: () => string): Reservation | null {
    if (budget.limitUsd === null) return null;
    const reservation = budget.reserve(mostUsd());
    if (reservation === null) throw new TurnFailure(overBudget(budget.limitUsd, budget.spent, mostUsd()));
    return reservation;
  }

  private costOf(used: MessageUsage): string {
    return costOfRequest(this.prices(), { model: used.model, usage: used, at: new Date() }).costUsd;
  }

  private noteAnswer({ payments }: TurnUsageBinding, account: Account, author: Author, status: number, said: string | null): void {
    const refused = status === 401 || status === 403 || (status === 400 && NO_CREDIT.test(said ?? ''));
    const words = said === null ? null : maskText(said);
    if (refused) payments.keyRefused(refusedKeySentence(account, author, words));
    else if (status < 400) payments.keyAccepted();
    const { keyId } = account;
    if (keyId === null || (status >= 400 && !refused)) return;
    const noted = refused ? this.keys.markFailed(keyId, words ?? `The model’s service answered with status ${status}.`) : this.keys.markUsed(keyId);
    noted.catch((error: Error) => this.log.warn({ err: error, key: keyId }, 'key.use_not_noted'));
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function overBudget(limitUsd: string, spentUsd: string, mostUsd: string): TurnError {
  return {
    code: 'BUDGET_EXCEEDED',
    detail: `The turn may spend $${limitUsd} and has spent $${spentUsd}; its next request could cost up to $${mostUsd}. What was done so far is kept. Raise maxBudgetUsd and send a message to go on, or ask for a smaller step.`,
  };
}
