import type { UsageGroup, UsageReport } from '@chirality/contracts';
import { knownCost, normalizeMoney } from '@chirality/domain';
import type { Tx } from '../connection/database';
import { decodeUsageCursor, encodeUsageCursor } from './usage-cursor';
import { onlySql, usageLinesSql, type Bind, type Dimension } from './usage-lines';
import { PROJECT_ACCESS, projectNameSql } from '../project/project-access.sql';

export interface UsageReportRequest {
  teamId: string;
  groupBy: UsageGroup;
  /** From the first moment (inclusive) to the second (exclusive); null: no bound. */
  from: Date | null;
  to: Date | null;
  /** An IANA zone; days, ISO weeks and months begin at its midnight. */
  timezone: string;
  /** Who reads it: the title of another user's private session is withheld. */
  readerId: string;
  /** Only what this person's turns used. */
  userId?: string;
  /** Only what was used in this project. */
  projectId?: string;
  /** Rows of a page, of groups that have no end: sessions and turns. The others come whole. */
  limit?: number;
  cursor?: string;
}

const PAGE_LIMIT = 50;
/** A range whose rows are few enough to be sorted for each page. */
const SHORT_RANGE_MS = 31 * 86_400_000;
const CALENDAR = { day: 'YYYY-MM-DD', week: 'YYYY-MM-DD', month: 'YYYY-MM' } as const;
const isCalendar = (group: UsageGroup): group is keyof typeof CALENDAR => group in CALENDAR;

/** `label` of a group `g`, so that a renamed thing stays one row and is looked up once. */
const LABELS: Partial<Record<UsageGroup, (readerId: string) => string>> = {
  user: () => '(SELECT u.name FROM "user" u WHERE u.id = g.key)',
  project: (readerId) => projectNameSql('g.key', readerId),
  session: (readerId) =>
    `(SELECT CASE WHEN s.deleted_at IS NOT NULL THEN 'Deleted session' WHEN (s.visibility <> 'private' OR s.owner_id = ${readerId}) AND EXISTS (
        SELECT 1 FROM ${PROJECT_ACCESS} access WHERE access.project_id = s.project_id AND access.user_id = ${readerId}
          AND access.role IS NOT NULL) THEN s.title ELSE 'Private session' END
      FROM session s WHERE s.id = g.key)`,
  persona: () => `coalesce(nullif(g.key, ''), 'No persona')`,
};

interface ReportRow {
  key: string | null;
  label: string | null;
  demo: boolean;
  turns: string;
  input: string;
  output: string;
  cache_read: string;
  cache_write: string;
  cost: string;
  unpriced: string;
  total_cost: string;
  total_unpriced: string;
  total_turns: string;
}

const SUMS = `sum(turns) AS turns, sum(unpriced) AS unpriced, sum(input) AS input, sum(output) AS output,
  sum(cache_read) AS cache_read, sum(cache_write) AS cache_write, sum(cost) AS cost`;

/**
 * Usage of a team, grouped, as one snapshot sees it. The bounds are half-open, so neighbouring ranges add up to the
 * range of both. Demo usage has separate rows and is in no total; `totalUsd` is the exact sum of the other rows of all
 * pages, without the messages that had no price, which are counted beside it. A turn is counted in the range, the day
 * and so on in which its first message was asked for, and once for each of its models. A week's key is its Monday.
 */
export async function reportUsage(tx: Tx, request: UsageReportRequest): Promise<UsageReport> {
  const { groupBy, limit = PAGE_LIMIT } = request;
  const isPaged = groupBy === 'session' || groupBy === 'turn';
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const text = groupBy === 'turn' ? byTurnSql(request, limit, bind) : groupedSql(request, isPaged ? limit : null, bind);
  const { rows } = await tx.query<ReportRow>(text, values);
  const found = rows.filter((row): row is ReportRow & { key: string } => row.key !== null);
  const page = isPaged ? found.slice(0, limit) : found;
  const last = page.at(-1);
  const total = rows[0] as ReportRow;
  return {
    data: page.map(usageRow),
    totalUsd: normalizeMoney(total.total_cost),
    totalTurns: Number(total.total_turns),
    unpricedMessages: Number(total.total_unpriced),
    nextCursor: last !== undefined && found.length > page.length ? encodeUsageCursor(last) : null,
  };
}

const totalSql = (of: string) => `SELECT coalesce(sum(cost) FILTER (WHERE NOT demo), 0) AS total_cost,
  coalesce(sum(unpriced) FILTER (WHERE NOT demo), 0) AS total_unpriced,
  coalesce(sum(turns) FILTER (WHERE NOT demo), 0) AS total_turns FROM ${of}`;

/** One group more than a page says whether there is another. */
function groupedSql(request: UsageReportRequest, limit: number | null, bind: Bind): string {
  const { groupBy, timezone, readerId } = request;
  const zone = isCalendar(groupBy) ? bind(timezone) : null;
  const lines = usageLinesSql(
    isCalendar(groupBy)
      ? {
          ...request,
          dimension: 'time',
          calendarKey: (moment) =>
            `to_char(date_trunc('${groupBy}', ${moment} AT TIME ZONE ${zone}), '${CALENDAR[groupBy]}')`,
        }
      : { ...request, dimension: groupBy as Dimension },
    bind,
  );
  const after = limit === null ? null : decodeUsageCursor(request.cursor);
  // Amounts fall while keys rise, so their two comparisons cannot be one of rows.
  const cost = after && bind(after.cost);
  const page =
    after === null
      ? ''
      : `WHERE cost < ${cost}::numeric OR (cost = ${cost}::numeric AND (key, demo) > (${bind(after.key)},
        ${bind(after.demo)}::boolean))`;
  const label = LABELS[groupBy]?.(groupBy === 'session' || groupBy === 'project' ? bind(readerId) : '') ?? 'g.key';
  const order = (of: string) =>
    isCalendar(groupBy) ? `${of}.key, ${of}.demo` : `${of}.cost DESC, ${of}.key, ${of}.demo`;
  return `WITH line AS (${lines}), grouped AS (SELECT key, demo, ${SUMS} FROM line GROUP BY key,
    demo HAVING sum(messages) > 0),
    g AS (SELECT * FROM grouped ${page} ORDER BY ${order('grouped')} ${limit === null ? '' : `LIMIT ${bind(limit + 1)}`}), total AS (${totalSql('grouped')})
    SELECT g.*, ${label} AS label, total.* FROM total LEFT JOIN g ON true ORDER BY ${order('g')}`;
}

/** Latest first: turns are read from their end, and only as many as a page has. */
function byTurnSql(request: UsageReportRequest, limit: number, bind: Bind): string {
  const { teamId, from, to } = request;
  const lines = usageLinesSql({ ...request, dimension: 'time' }, bind);
  const after = decodeUsageCursor(request.cursor);
  const conditions = [
    `r.team_id = ${bind(teamId)}`,
    ...(from === null ? [] : [`r.at >= ${bind(from)}`]),
    ...(to === null ? [] : [`r.at < ${bind(to)}`]),
    ...onlySql(request, bind),
    ...(after === null
      ? []
      : [
          `r.turn_id <= ${bind(after.key)}`,
          `(r.turn_id, r.demo) < (${bind(after.key)}, ${bind(after.demo)}::boolean)`,
        ]),
  ];
  // OFFSET 0: read by its time, not through all the turns that came after it.
  const isShort = from !== null && to !== null && to.getTime() - from.getTime() <= SHORT_RANGE_MS;
  const rows = `(SELECT * FROM usage_record r WHERE ${conditions.join(' AND ')}${isShort ? ' OFFSET 0' : ''})`;
  return `WITH line AS (${lines}), total AS (${totalSql('line')}), g AS (
      SELECT r.turn_id AS key, r.demo, 1 AS turns, count(*) FILTER (WHERE r.cost_usd IS NULL) AS unpriced,
        sum(r.input_tokens) AS input, sum(r.output_tokens) AS output, sum(r.cache_read_tokens) AS cache_read,
        sum(r.cache_write_5m_tokens + r.cache_write_1h_tokens) AS cache_write, coalesce(sum(r.cost_usd), 0) AS cost
      FROM ${rows} r GROUP BY r.turn_id, r.demo ORDER BY r.turn_id DESC, r.demo DESC LIMIT ${bind(limit + 1)})
    SELECT g.*, g.key AS label, total.* FROM total LEFT JOIN g ON true ORDER BY g.key DESC, g.demo DESC`;
}

/** True for a zone that reports may be made in. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

function usageRow(row: ReportRow & { key: string }): UsageReport['data'][number] {
  return {
    key: row.key,
    label: row.label ?? row.key,
    turns: Number(row.turns),
    usage: {
      inputTokens: Number(row.input),
      outputTokens: Number(row.output),
      cacheReadTokens: Number(row.cache_read),
      cacheWriteTokens: Number(row.cache_write),
    },
    ...knownCost(normalizeMoney(row.cost), Number(row.unpriced)),
    demo: row.demo,
  };
}
