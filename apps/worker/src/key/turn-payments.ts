import type { TurnError } from '@chirality/contracts';
import type { BudgetNotice } from '@chirality/database';
import type { Ending } from '../turn/turn-ending';
import type { TurnBudget } from './turn-budget';

/** What came of paying for one turn's requests, as far as it decides how the turn ends. */
export class TurnPayments {
  private refusal: TurnError | null = null;
  private refusedKey: string | null = null;

  constructor(
    readonly budget: TurnBudget,
    private readonly ports: {
      /** The turn may ask nothing any more and has to end. */
      refused(): void;
      /** A budget has reached a share of which people are told. */
      budgetReached(notice: BudgetNotice): void;
    },
  ) {}

  budgetReached(notice: BudgetNotice): void {
    this.ports.budgetReached(notice);
  }

  /** Nobody pays for a request of this turn. The first reason stays. */
  refuse(reason: TurnError): void {
    this.refusal ??= reason;
    this.ports.refused();
  }

  /** The model's service did not take the key; `sentence` says whose it is. */
  keyRefused(sentence: string): void {
    this.refusedKey = sentence;
  }

  keyAccepted(): void {
    this.refusedKey = null;
  }

  /** The ending with the true reason, where the program knows only that it got no answer. */
  explain(ending: Ending): Ending {
    if (ending.cause !== 'fail') return ending;
    if (this.refusal !== null) return { cause: 'fail', error: this.refusal };
    if (this.refusedKey !== null && ending.error?.code === 'MODEL_AUTH_FAILED') return { cause: 'fail', error: { code: 'MODEL_AUTH_FAILED', detail: this.refusedKey } };
    return ending;
  }
}

