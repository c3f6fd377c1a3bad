import type { Tx } from '../connection/database';
import type { BudgetRow, BudgetWindowRow } from '../generated/rows';

const windowStartSql = (at: string) =>
  `CASE b.period WHEN 'total' THEN 'epoch'::timestamptz ELSE date_trunc(b.period,
    ${at} AT TIME ZONE t.timezone) AT TIME ZONE t.timezone END`;

const STATE_SQL = `
SELECT b.id, b.scope, b.subject_id, b.period, b.kind, b.limit_usd,
  ${windowStartSql('$2::timestamptz')} AS window_start, w.spent_usd, w.notified_percent, w.counted
FROM budget b JOIN team t ON t.id = b.team_id
LEFT JOIN budget_window w ON w.budget_id = b.id AND w.window_start = ${windowStartSql('$2::timestamptz')}
WHERE b.team_id = $1 AND ($3::text[] IS NULL OR b.subject_id = ANY ($3))
ORDER BY b.id`;

type BudgetColumns = Pick<BudgetRow, 'id' | 'scope' | 'subject_id' | 'period' | 'kind' | 'limit_usd'>;
type WindowColumns = Pick<BudgetWindowRow, 'spent_usd' | 'notified_percent' | 'counted'>;
/** Of a budget whose window may be missing. */
export type StateRow = BudgetColumns &
  Pick<BudgetWindowRow, 'window_start'> & { [K in keyof WindowColumns]: WindowColumns[K] | null };

/**
 * Usage that is being stored holds this; who waits for it and lets go again knows that all usage begun before is
 * stored.
 */
const LOCK = `hashtextextended('budget/' || $1, 0)`;
export const holdWindowsSql = `SELECT pg_advisory_xact_lock_shared(${LOCK})`;
export const passWindowsSql = `SELECT pg_advisory_xact_lock(${LOCK})`;

interface Asked {
  teamId: string;
  /** Null: all of the team's budgets. */
  subjects: string[] | null;
  at: Date;
}

export async function selectBudgets(tx: Tx, { teamId, subjects, at }: Asked): Promise<StateRow[]> {
  const { rows } = await tx.query<StateRow>({ name: 'read_budgets', text: STATE_SQL, values: [teamId, at, subjects] });
  return rows;
}

/** Those whose windows are there, with these locked in the order of the budgets' ids. */
export async function selectLocked(
  tx: Tx,
  { teamId, subjects, at }: Asked & { subjects: string[] },
): Promise<StateRow[]> {
  const { rows } = await tx.query<StateRow>({
    name: 'lock_budgets',
    text: `SELECT b.id, b.scope, b.subject_id, b.period, b.kind, b.limit_usd, w.window_start, w.spent_usd,
      w.notified_percent, w.counted
     FROM budget b JOIN team t ON t.id = b.team_id JOIN budget_window w ON w.budget_id = b.id
       AND w.window_start = ${windowStartSql('$2::timestamptz')}
     WHERE b.team_id = $1 AND b.subject_id = ANY ($3) ORDER BY b.id FOR UPDATE OF w`,
    values: [teamId, at, subjects],
  });
  return rows;
}

/** `reached`: the highest mark in percent that the window has reached now. */
export async function updateWindows(
  tx: Tx,
  windows: readonly { id: string; windowStart: Date; spentUsd: string; reached: number }[],
): Promise<void> {
  await tx.query({
    name: 'add_spending',
    text: `UPDATE budget_window w SET spent_usd = c.spent, notified_percent = greatest(w.notified_percent, c.reached)
      FROM unnest($1::text[], $2::timestamptz[], $3::numeric[], $4::int[]) AS c(budget_id, window_start, spent, reached)
      WHERE w.budget_id = c.budget_id AND w.window_start = c.window_start`,
    values: [
      windows.map(({ id }) => id),
      windows.map(({ windowStart }) => windowStart),
      windows.map(({ spentUsd }) => spentUsd),
      windows.map(({ reached }) => reached),
    ],
  });
}
