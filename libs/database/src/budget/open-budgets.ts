import type { BudgetScope } from '@chirality/contracts';
import type { Pool } from 'pg';
import { inTransaction } from '../connection/transaction';
import type { BudgetWindowRow } from '../generated/rows';
import { readBudgets, type BudgetState } from './budget-window';
import { passWindowsSql } from './budget-window.sql';

/** Counting the usage of years may take a while; no lock is held meanwhile. */
const COUNT_LIMIT_MS = 10 * 60_000;
const COUNTED_TOGETHER = 50;

const SUBJECT_COLUMN: Record<BudgetScope, string> = {
  team: 'team_id',
  project: 'project_id',
  session: 'session_id',
  user: 'user_id',
};

/**
 * Per window: what its rows of usage add up to, less what the window holds already, both as one snapshot sees them.
 * Usage that sees the window adds itself to it in its own commit, so the difference is what was stored before that.
 */
const countSql = (scope: BudgetScope) => `
SELECT w.budget_id, w.window_start,
  (coalesce((SELECT sum(u.cost_usd) FROM usage_record u WHERE u.${SUBJECT_COLUMN[scope]} = o.subject_id
    AND u.team_id = $4 AND u.at >= w.window_start AND NOT u.demo), 0) - w.spent_usd)::text AS earlier
FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS o(budget_id, window_start, subject_id)
JOIN budget_window w ON w.budget_id = o.budget_id AND w.window_start = o.window_start
WHERE NOT w.counted`;

interface CountRow extends Pick<BudgetWindowRow, 'budget_id' | 'window_start'> {
  earlier: string;
}

/**
 * The answer of `readBudgets` with every window made and counted. Only windows that are missing cost anything, and
 * counting holds no lock: usage is stored and turns begin meanwhile. Safe to run side by side, and to repeat after it
 * failed.
 */
export async function openBudgets(
  pool: Pool,
  teamId: string,
  subjects: string[] | null,
  at: Date,
): Promise<BudgetState[]> {
  const found = await readBudgets(pool, teamId, subjects, at);
  return found.every(({ isCounted }) => isCounted)
    ? found
    : afterOthers(pool, teamId, () => openMissing(pool, teamId, subjects, at));
}

const openings = new WeakMap<Pool, Map<string, Promise<void>>>();

/**
 * One opening of a team after the other: its spenders share budgets, so a later caller mostly finds them counted, and
 * a long count is made once and not on every connection of the pool.
 */
function afterOthers<T>(pool: Pool, teamId: string, open: () => Promise<T>): Promise<T> {
  const ofPool = openings.get(pool) ?? new Map<string, Promise<void>>();
  openings.set(pool, ofPool);
  const opened = (ofPool.get(teamId) ?? Promise.resolve()).then(open);
  const over = opened.then(
    () => undefined,
    () => undefined,
  );
  ofPool.set(teamId, over);
  void over.then(() => ofPool.get(teamId) === over && ofPool.delete(teamId));
  return opened;
}

async function openMissing(pool: Pool, teamId: string, subjects: string[] | null, at: Date): Promise<BudgetState[]> {
  const found = await readBudgets(pool, teamId, subjects, at);
  const missing = found.filter(({ isCounted }) => !isCounted);
  if (missing.length === 0) return found;
  await pool.query(
    `INSERT INTO budget_window (budget_id, window_start, spent_usd, counted)
     SELECT b.id, o.window_start, 0, false FROM unnest($1::text[], $2::timestamptz[]) AS o(budget_id, window_start)
       JOIN budget b ON b.id = o.budget_id
     ORDER BY b.id ON CONFLICT DO NOTHING`,
    [missing.map(({ id }) => id), missing.map(({ windowStart }) => windowStart)],
  );
  // Usage that may not have seen the new windows is stored by the time that this answers; all that begins later sees
  // them.
  await pool.query(passWindowsSql, [teamId]);
  for (const scope of Object.keys(SUBJECT_COLUMN) as BudgetScope[]) {
    const ofScope = missing.filter((budget) => budget.scope === scope);
    for (let from = 0; from < ofScope.length; from += COUNTED_TOGETHER)
      await countWindows(pool, teamId, scope, ofScope.slice(from, from + COUNTED_TOGETHER));
  }
  return readBudgets(pool, teamId, subjects, at);
}

async function countWindows(pool: Pool, teamId: string, scope: BudgetScope, budgets: BudgetState[]): Promise<void> {
  const values = [
    budgets.map(({ id }) => id),
    budgets.map(({ windowStart }) => windowStart),
    budgets.map(({ subjectId }) => subjectId),
    teamId,
  ];
  const counted = await inTransaction(pool, async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = ${COUNT_LIMIT_MS}`);
    const query = { text: countSql(scope), values, query_timeout: COUNT_LIMIT_MS };
    return (await tx.query<CountRow>(query)).rows;
  });
  // One commit a window: a usage that locks several of them waits for none but the one that is being written.
  for (const { budget_id, window_start, earlier } of counted) {
    // Others who counted at the same time found the same difference. It is added once.
    await pool.query(
      'UPDATE budget_window SET spent_usd = spent_usd + $3::numeric, counted = true WHERE budget_id = $1 AND window_start = $2 AND NOT counted',
      [budget_id, window_start, earlier],
    );
  }
}
