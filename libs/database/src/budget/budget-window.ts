import type { BudgetKind, BudgetPeriod, BudgetScope } from '@chirality/contracts';
import { addMoney, normalizeMoney, percentOf } from '@chirality/domain';
import type { Tx } from '../connection/database';
import { selectBudgets, selectLocked, updateWindows, type StateRow } from './budget-window.sql';

/** Whose spending it is: a budget binds it that is about one of these. */
export type Spender = { teamId: string; projectId: string; sessionId: string; userId: string };

/** A budget with the window that a moment falls into. */
export type BudgetState = {
  id: string;
  scope: BudgetScope;
  subjectId: string;
  period: BudgetPeriod;
  kind: BudgetKind;
  limitUsd: string;
  windowStart: Date;
  spentUsd: string;
  notifiedPercent: number;
  /** False while the window is missing or the usage from before it was made is still being counted. */
  isCounted: boolean;
};

/** People are notified when a window reaches one of these, once each. */
export type BudgetNotice = { budgetId: string; percent: number; spentUsd: string; limitUsd: string };
const TELL_AT_PERCENT = [100, 80, 50];

/**
 * The budgets of a team that are about one of the subjects (null: all of them), in the windows of that moment.
 * `isCounted` is false where what was spent is not known yet.
 */
export async function readBudgets(tx: Tx, teamId: string, subjects: string[] | null, at: Date): Promise<BudgetState[]> {
  const rows = await selectBudgets(tx, { teamId, subjects, at });
  return rows.map(stateFromRow);
}

/** The same under a lock that the transaction holds until its end; always in the same order. */
export async function lockBudgets(tx: Tx, spender: Spender, at: Date): Promise<BudgetState[]> {
  const rows = await selectLocked(tx, { teamId: spender.teamId, subjects: subjectsOf(spender), at });
  return rows.map(stateFromRow);
}

/**
 * Adds what a row of usage costs more than it did before to windows that its transaction has locked. Answers the
 * notices to send.
 */
export async function addSpending(tx: Tx, locked: readonly BudgetState[], moreUsd: string): Promise<BudgetNotice[]> {
  if (locked.length === 0) return [];
  const changed = locked.map((budget) => {
    const spentUsd = addMoney(budget.spentUsd, moreUsd);
    const percent = percentOf(spentUsd, budget.limitUsd);
    // A part of what was spent says nothing about the whole.
    return { budget, spentUsd, reached: budget.isCounted ? (TELL_AT_PERCENT.find((mark) => percent >= mark) ?? 0) : 0 };
  });
  await updateWindows(
    tx,
    changed.map(({ budget, spentUsd, reached }) => ({ ...budget, spentUsd, reached })),
  );
  return changed
    .filter(({ budget, reached }) => reached > budget.notifiedPercent)
    .map(({ budget, spentUsd, reached }) => ({
      budgetId: budget.id,
      percent: reached,
      spentUsd,
      limitUsd: budget.limitUsd,
    }));
}

/** What a budget that binds the spender is about. */
export function subjectsOf({ teamId, projectId, sessionId, userId }: Spender): string[] {
  return [teamId, projectId, sessionId, userId];
}

function stateFromRow(row: StateRow): BudgetState {
  return {
    id: row.id,
    scope: row.scope,
    subjectId: row.subject_id,
    period: row.period,
    kind: row.kind,
    limitUsd: normalizeMoney(row.limit_usd),
    windowStart: row.window_start,
    spentUsd: normalizeMoney(row.spent_usd ?? '0'),
    notifiedPercent: row.notified_percent ?? 0,
    isCounted: row.counted === true,
  };
}
