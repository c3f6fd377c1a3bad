import { subtractMoney, type PricedUsage } from '@chirality/domain';
import { addSpending, lockBudgets, type BudgetNotice } from '../budget/budget-window';
import { holdWindowsSql } from '../budget/budget-window.sql';
import type { Database } from '../connection/database';
import { sentTogether } from '../connection/sent-together';
import { inTransaction } from '../connection/transaction';
import type { UsageRecordRow } from '../generated/rows';
import { lockTurn, putUsage, selectPrior, sumUsage } from './usage.sql';

/** What one message of the model's service used, or, where none passed the gateway, one whole turn. */
export interface UsageEntry extends PricedUsage {
  id: string;
  teamId: string;
  projectId: string;
  sessionId: string;
  turnId: string;
  attempt: number;
  userId: string;
  persona: string | null;
  model: string;
  apiMessageId: string | null;
  /**
   * Decimal US dollars, at most ten digits after the point; null where the model has no price, so that it is unknown.
   */
  costUsd: string | null;
  source: UsageRecordRow['source'];
  demo: boolean;
  /** False while the message streams, and for one that was cut. */
  complete: boolean;
  /** What was written is counted from what came, because the service did not say. */
  estimated?: boolean;
  at: Date;
}

export class UsageRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * Stores the entry, or a later state of it, and brings the turn's sums in step in the same commit, so that a turn
   * always shows exactly the sum of its rows, also for a message that ends after its turn; and so do the windows of
   * budgets, of which it answers the notices to send now. Safe to repeat.
   */
  async recordUsage(entry: UsageEntry): Promise<BudgetNotice[]> {
    return inTransaction(this.database.pool, async (tx) => {
      // Writers of usage of this turn are serialised, so that each sum sees all rows before it.
      const lock = lockTurn(tx, entry.turnId);
      const hold = tx.query({ name: 'hold_budget_windows', text: holdWindowsSql, values: [entry.teamId] });
      const prior = selectPrior(tx, entry.id);
      const put = putUsage(tx, entry);
      const sum = sumUsage(tx, entry.turnId);
      const windows = lockBudgets(tx, entry, entry.at);
      await sentTogether([lock, hold, prior, put, sum, windows]);
      const stored = await put;
      const moreUsd =
        stored === undefined || entry.demo
          ? '0'
          : subtractMoney(stored.cost_usd ?? '0', (await prior)?.cost_usd ?? '0');
      return moreUsd === '0' ? [] : addSpending(tx, await windows, moreUsd);
    });
  }
}
