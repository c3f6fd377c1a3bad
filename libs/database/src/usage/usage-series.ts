import type { UsageSeries, UsageStack } from '@chirality/contracts';
import { addMoney, normalizeMoney } from '@chirality/domain';
import type { Tx } from '../connection/database';
import type { UsageRecordRow } from '../generated/rows';
import { calendarPeriods, type Interval } from './calendar-periods';
import { onlySql, type Bind } from './usage-lines';
import type { UsageReportRequest } from './usage-report';
import { projectNameSql } from '../project/project-access.sql';

interface UsageSeriesRequest extends Pick<
  UsageReportRequest,
  'teamId' | 'from' | 'to' | 'timezone' | 'userId' | 'projectId' | 'readerId'
> {
  stackBy: UsageStack;
  /** The range ends here where it has no end. */
  now: Date;
}

/** More colours than that cannot be distinguished; the others share one. */
const MAX_SERIES = 7;
/** A longer range is shown by the month. */
const MAX_DAYS = 100;
const DAY_MS = 86_400_000;

const STACKS: Record<UsageStack, { column: string; label: (bindReader: () => string) => string }> = {
  user: { column: 'r.user_id', label: () => '(SELECT u.name FROM "user" u WHERE u.id = c.key)' },
  project: { column: 'r.project_id', label: (bindReader) => projectNameSql('c.key', bindReader()) },
  model: { column: 'r.model', label: () => 'c.key' },
};

interface CellRow {
  period: string;
  key: string | null;
  label: string | null;
  cost: string;
  unpriced: string;
  rank: string;
}

/**
 * What a team spent, by period of its calendar and by who or what spent it, read from the rows of usage in one
 * statement. The amounts of all cells add up exactly to the report's total of the same range. Periods without usage are
 * in it too; a range without a beginning begins with the first usage, and there are no periods where nothing was ever
 * used.
 */
export async function reportUsageSeries(tx: Tx, request: UsageSeriesRequest): Promise<UsageSeries> {
  const { teamId, timezone, stackBy, to, now } = request;
  const end = to !== null && to < now ? to : now;
  const from = await beginOf(tx, request, end);
  if (from === null || from >= end) return { interval: 'day', series: [], periods: [] };
  const interval: Interval = end.getTime() - from.getTime() > MAX_DAYS * DAY_MS ? 'month' : 'day';
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { column, label } = STACKS[stackBy];
  const moment = `to_char(r.at AT TIME ZONE ${bind(timezone)}, '${interval === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM'}')`;
  const conditions = [
    `r.team_id = ${bind(teamId)}`,
    'NOT r.demo',
    `r.at >= ${bind(from)}`,
    `r.at < ${bind(end)}`,
    ...onlySql(request, bind),
  ];
  const { rows } = await tx.query<CellRow>(
    `WITH cell AS (
       SELECT ${moment} AS period, ${column} AS key, coalesce(sum(r.cost_usd), 0) AS cost,
         count(*) FILTER (WHERE r.cost_usd IS NULL) AS unpriced
       FROM usage_record r WHERE ${conditions.join(' AND ')} GROUP BY 1, 2
     ), ranked AS (
       SELECT key, row_number() OVER (ORDER BY sum(cost) DESC, key) AS place FROM cell GROUP BY key
     ), c AS (
       SELECT cell.period, CASE WHEN ranked.place <= ${MAX_SERIES} THEN cell.key END AS key, least(ranked.place,
         ${MAX_SERIES + 1}) AS rank,
         sum(cell.cost) AS cost, sum(cell.unpriced) AS unpriced
       FROM cell JOIN ranked USING (key) GROUP BY 1, 2, 3
     )
     SELECT c.*, ${label(() => bind(request.readerId))} AS label FROM c ORDER BY c.rank, c.period`,
    values,
  );
  return seriesOf(rows, calendarPeriods(from, end, timezone, interval), interval);
}

/** The asked beginning, but of a long range not before the first usage in it that is shown. Null: there is none. */
async function beginOf(tx: Tx, request: UsageSeriesRequest, end: Date): Promise<Date | null> {
  const { teamId, from } = request;
  if (from !== null && end.getTime() - from.getTime() <= MAX_DAYS * DAY_MS) return from;
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = [`r.team_id = ${bind(teamId)}`, 'NOT r.demo', ...onlySql(request, bind)];
  const { rows } = await tx.query<{ first: UsageRecordRow['at'] | null }>(
    `SELECT min(r.at) AS first FROM usage_record r WHERE ${conditions.join(' AND ')}`,
    values,
  );
  const first = rows[0]?.first ?? null;
  return first !== null && from !== null && from > first ? from : first;
}

function seriesOf(rows: CellRow[], keys: string[], interval: Interval): UsageSeries {
  const series: UsageSeries['series'] = [];
  const places = new Map<string, number>();
  // The database's time zones may be of another release than this process's: what it names is shown all the same.
  const named = [...new Set([...keys, ...rows.map(({ period }) => period)])].sort();
  const periods = new Map(named.map((key) => [key, { key, costs: [] as string[], unpricedMessages: 0 }]));
  for (const row of rows) {
    let place = places.get(row.rank);
    if (place === undefined) {
      place = series.push({ key: row.key, label: row.key === null ? 'Others' : (row.label ?? ''), costUsd: '0' }) - 1;
      places.set(row.rank, place);
    }
    const one = series[place] as UsageSeries['series'][number];
    const period = periods.get(row.period) as UsageSeries['periods'][number];
    one.costUsd = addMoney(one.costUsd, row.cost);
    period.costs[place] = normalizeMoney(row.cost);
    period.unpricedMessages += Number(row.unpriced);
  }
  for (const period of periods.values()) period.costs = series.map((_, place) => period.costs[place] ?? '0');
  return { interval, series, periods: [...periods.values()] };
}
