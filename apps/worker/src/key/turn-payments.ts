import type { TurnError } from '@chirality/contracts';
import type { BudgetNotice } from '@chirality/database';
import type { Ending } from '../outcome/turn-ending';
import type { TurnBudget } from './turn-budget';

/** What a turn ends with whose last answer was cut short and that could not continue. */
const CUT_CODES: ReadonlySet<string> = new Set(['HARNESS_FAILURE', 'NO_RESULT']);
const CUT_SENTENCE =
  'The answer ends where a budget did. What was done so far is kept. Raise the budget and send a message to continue.';

/** What came of paying for one turn's requests, as far as it decides how the turn ends. */
export class TurnPayments {
  private refusal: TurnError | null = null;
  private refusedKey: string | null = null;
  private shortened = false;
  private cutByBudget = false;

  constructor(
    readonly budget: TurnBudget,
    private readonly ports: {
      /** The turn may request nothing more and has to end. */
      refused(reason: TurnError): void;
      /** A budget has reached a share that people are notified of. */
      budgetReached(notice: BudgetNotice): void;
      /** From now on answers may be shorter than the program asks for. */
      answersShortened(): void;
    },
  ) {}

  budgetReached(notice: BudgetNotice): void {
    this.ports.budgetReached(notice);
  }

  /** So little is left of a budget that a request is sent with a shorter answer than it asks for. */
  answerShortened(): void {
    if (!this.shortened) this.ports.answersShortened();
    this.shortened = true;
  }

  /** An answer is over; `cut`: it would have been longer, had more been left of a budget. */
  answerEnded({ cut }: { cut: boolean }): void {
    this.cutByBudget = cut;
  }

  /** No account is billed for a request of this turn. The first reason stays. */
  refuse(reason: TurnError): void {
    this.refusal ??= reason;
    this.ports.refused(reason);
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
    if (this.refusedKey !== null && ending.error?.code === 'MODEL_AUTH_FAILED')
      return { cause: 'fail', error: { code: 'MODEL_AUTH_FAILED', detail: this.refusedKey } };
    if (this.cutByBudget && (ending.error === null || CUT_CODES.has(ending.error.code)))
      return { cause: 'fail', error: { code: 'BUDGET_EXCEEDED', detail: CUT_SENTENCE } };
    return ending;
  }
}
