import type { BudgetKind, BudgetPeriod, BudgetScope } from '@chirality/contracts';
import { addMoney, normalizeMoney, percentOf } from '@chirality/domain';
import type { Pool } from 'pg';
import type { Tx } from '../connection/database';
import { inTransaction } from '../connection/transaction';

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
};

/** People are told when a window reaches one of these, once each. */
export type BudgetNotice = { budgetId: string; percent: number; spentUsd: string; limitUsd: string };
const TELL_AT_PERCENT = [100, 80, 50];

const windowStart = (at: string) =>
  `CASE b.period WHEN 'total' THEN 'epoch'::timestamptz ELSE date_trunc(b.period, ${at} AT TIME ZONE t.timezone) AT TIME ZONE t.timezone END`;

const STATE_SQL = `
SELECT b.id, b.scope, b.subject_id, b.period, b.kind, b.limit_usd, ${windowStart('$2::timestamptz')} AS window_start, w.spent_usd, w.notified_percent
FROM budget b JOIN team t ON t.id = b.team_id
LEFT JOIN budget_window w ON w.budget_id = b.id AND w.window_start = ${windowStart('$2::timestamptz')}
WHERE b.team_id = $1 AND ($3::text[] IS NULL OR b.subject_id = ANY ($3))
ORDER BY b.id`;

/** A new window begins with what its usage adds up to already. */
const OPEN_SQL = `
INSERT INTO budget_window (budget_id, window_start, spent_usd)
SELECT b.id, s.window_start, (
  SELECT coalesce(sum(u.cost_usd), 0) FROM usage_record u
  WHERE u.team_id = b.team_id AND NOT u.demo AND u.at >= s.window_start
    AND CASE b.scope WHEN 'project' THEN u.project_id WHEN 'session' THEN u.session_id WHEN 'user' THEN u.user_id ELSE u.team_id END = b.subject_id)
FROM budget b JOIN team t ON t.id = b.team_id CROSS JOIN LATERAL (SELECT ${windowStart('$2::timestamptz')} AS window_start) s
WHERE b.team_id = $1
ON CONFLICT DO NOTHING`;

interface StateRow {
  id: string;
  scope: BudgetScope;
  subject_id: string;
  period: BudgetPeriod;
  kind: BudgetKind;
  limit_usd: string;
  window_start: Date;
  spent_usd: string | null;
  notified_percent: number | null;
}

/** Whoever opens windows of a team waits for usage that is being stored, and the other way round: none is counted twice or not at all. */
const LOCK = `hashtextextended('budget/' || $1, 0)`;
export const holdWindowsSql = `SELECT pg_advisory_xact_lock_shared(${LOCK})`;

/** The budgets of a team that bind the spender (null: all of them), in the windows of that moment, which are there afterwards. */
export async function readBudgets(pool: Pool, teamId: string, spender: Spender | null, at: Date): Promise<BudgetState[]> {
  const subjects = spender && subjectsOf(spender);
  const { rows } = await pool.query<StateRow>({ name: 'read_budgets', text: STATE_SQL, values: [teamId, at, subjects] });
  if (rows.every(({ spent_usd }) => spent_usd !== null)) return rows.map(stateFromRow);
  await inTransaction(pool, async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(${LOCK})`, [teamId]);
    await tx.query(OPEN_SQL, [teamId, at]);
  });
  const opened = await pool.query<StateRow>(STATE_SQL, [teamId, at, subjects]);
  return opened.rows.map(stateFromRow);
}

/** The same under a lock that the transaction holds until its end; always in the same order. */
export async function lockBudgets(tx: Tx, spender: Spender, at: Date): Promise<BudgetState[]> {
  const { rows } = await tx.query<StateRow>({
    name: 'lock_budgets',
    text: `SELECT b.id, b.scope, b.subject_id, b.period, b.kind, b.limit_usd, w.window_start, w.spent_usd, w.notified_percent
     FROM budget b JOIN team t ON t.id = b.team_id JOIN budget_window w ON w.budget_id = b.id AND w.window_start = ${windowStart('$2::timestamptz')}
     WHERE b.team_id = $1 AND b.subject_id = ANY ($3) ORDER BY b.id FOR UPDATE OF w`,
    values: [spender.teamId, at, subjectsOf(spender)],
  });
  return rows.map(stateFromRow);
}

/** Adds what a row of usage costs more than it did before to windows that its transaction has locked. Answers what people are to be told. */
export async function addSpending(tx: Tx, locked: readonly BudgetState[], moreUsd: string): Promise<BudgetNotice[]> {
  const notices: BudgetNotice[] = [];
  for (const budget of locked) {
    const spentUsd = addMoney(budget.spentUsd, moreUsd);
    const percent = percentOf(spentUsd, budget.limitUsd);
    const reached = TELL_AT_PERCENT.find((mark) => percent >= mark) ?? 0;
    const isNews = reached > budget.notifiedPercent;
    await tx.query('UPDATE budget_window SET spent_usd = $3, notified_percent = greatest(notified_percent, $4) WHERE budget_id = $1 AND window_start = $2', [budget.id, budget.windowStart, spentUsd, reached]);
    if (isNews) notices.push({ budgetId: budget.id, percent: reached, spentUsd, limitUsd: budget.limitUsd });
  }
  return notices;
}

function subjectsOf({ teamId, projectId, sessionId, userId }: Spender): string[] {
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
  };
}
