import type { BudgetKind, BudgetPeriod, BudgetScope } from '@chirality/contracts';
import { addMoney, normalizeMoney, percentOf } from '@chirality/domain';
import type { Tx } from '../connection/database';
import type { BudgetRow, BudgetWindowRow } from '../generated/rows';

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

const windowStartSql = (at: string) =>
  `CASE b.period WHEN 'total' THEN 'epoch'::timestamptz ELSE date_trunc(b.period, ${at} AT TIME ZONE t.timezone) AT TIME ZONE t.timezone END`;

const STATE_SQL = `
SELECT b.id, b.scope, b.subject_id, b.period, b.kind, b.limit_usd, ${windowStartSql('$2::timestamptz')} AS window_start, w.spent_usd, w.notified_percent, w.counted
FROM budget b JOIN team t ON t.id = b.team_id
LEFT JOIN budget_window w ON w.budget_id = b.id AND w.window_start = ${windowStartSql('$2::timestamptz')}
WHERE b.team_id = $1 AND ($3::text[] IS NULL OR b.subject_id = ANY ($3))
ORDER BY b.id`;

type BudgetColumns = Pick<BudgetRow, 'id' | 'scope' | 'subject_id' | 'period' | 'kind' | 'limit_usd'>;
type WindowColumns = Pick<BudgetWindowRow, 'spent_usd' | 'notified_percent' | 'counted'>;
/** Of a budget whose window may be missing. */
type StateRow = BudgetColumns &
  Pick<BudgetWindowRow, 'window_start'> & { [K in keyof WindowColumns]: WindowColumns[K] | null };

/** Usage that is being stored holds this; who waits for it and lets go again knows that all usage begun before is stored. */
const LOCK = `hashtextextended('budget/' || $1, 0)`;
export const holdWindowsSql = `SELECT pg_advisory_xact_lock_shared(${LOCK})`;
export const passWindowsSql = `SELECT pg_advisory_xact_lock(${LOCK})`;

/** The budgets of a team that are about one of the subjects (null: all of them), in the windows of that moment. `isCounted` is false where what was spent is not known yet. */
export async function readBudgets(tx: Tx, teamId: string, subjects: string[] | null, at: Date): Promise<BudgetState[]> {
  const { rows } = await tx.query<StateRow>({ name: 'read_budgets', text: STATE_SQL, values: [teamId, at, subjects] });
  return rows.map(stateFromRow);
}

/** The same under a lock that the transaction holds until its end; always in the same order. */
export async function lockBudgets(tx: Tx, spender: Spender, at: Date): Promise<BudgetState[]> {
  const { rows } = await tx.query<StateRow>({
    name: 'lock_budgets',
    text: `SELECT b.id, b.scope, b.subject_id, b.period, b.kind, b.limit_usd, w.window_start, w.spent_usd, w.notified_percent, w.counted
     FROM budget b JOIN team t ON t.id = b.team_id JOIN budget_window w ON w.budget_id = b.id AND w.window_start = ${windowStartSql('$2::timestamptz')}
     WHERE b.team_id = $1 AND b.subject_id = ANY ($3) ORDER BY b.id FOR UPDATE OF w`,
    values: [spender.teamId, at, subjectsOf(spender)],
  });
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
  await tx.query({
    name: 'add_spending',
    text: `UPDATE budget_window w SET spent_usd = c.spent, notified_percent = greatest(w.notified_percent, c.reached)
      FROM unnest($1::text[], $2::timestamptz[], $3::numeric[], $4::int[]) AS c(budget_id, window_start, spent, reached)
      WHERE w.budget_id = c.budget_id AND w.window_start = c.window_start`,
    values: [
      changed.map(({ budget }) => budget.id),
      changed.map(({ budget }) => budget.windowStart),
      changed.map(({ spentUsd }) => spentUsd),
      changed.map(({ reached }) => reached),
    ],
  });
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
