import type { UsageGroup, UsageReport } from '@chirality/contracts';
import { normalizeMoney } from '@chirality/domain';
import type { Tx } from '../connection/database';

export interface UsageReportRequest {
  teamId: string;
  groupBy: UsageGroup;
  /** The first moment that counts, and the first that does not any more; null: no bound. */
  from: Date | null;
  to: Date | null;
  /** An IANA zone; days, ISO weeks and months begin at its midnight. */
  timezone: string;
  /** Only what this person's turns used. */
  userId?: string;
}

const calendarKey = (unit: 'day' | 'week' | 'month', format: string) => {
  const key = `to_char(date_trunc('${unit}', r.at AT TIME ZONE $2), '${format}')`;
  return { key, label: key, order: 'key' };
};

/** `label` is an aggregate, so that a renamed thing stays one row. */
const GROUPS: Record<UsageGroup, { key: string; label: string; order: string }> = {
  user: { key: 'r.user_id', label: '(SELECT u.name FROM "user" u WHERE u.id = r.user_id)', order: 'cost DESC, key' },
  project: { key: 'r.project_id', label: '(SELECT p.name FROM project p WHERE p.id = r.project_id)', order: 'cost DESC, key' },
  session: { key: 'r.session_id', label: '(SELECT s.title FROM session s WHERE s.id = r.session_id)', order: 'cost DESC, key' },
  persona: { key: `coalesce(r.persona, '')`, label: `coalesce(r.persona, 'No persona')`, order: 'cost DESC, key' },
  model: { key: 'r.model', label: 'r.model', order: 'cost DESC, key' },
  turn: { key: 'r.turn_id', label: 'r.turn_id', order: 'key DESC' },
  day: calendarKey('day', 'YYYY-MM-DD'),
  week: calendarKey('week', 'YYYY-MM-DD'),
  month: calendarKey('month', 'YYYY-MM'),
};

interface ReportRow {
  key: string;
  label: string | null;
  demo: boolean;
  turns: number;
  input: string;
  output: string;
  cache_read: string;
  cache_write: string;
  cost: string;
}

/**
 * Usage of a team, grouped. The bounds are half-open, so neighbouring ranges add up to the range of both. Demo usage
 * has rows of its own and is in no total; `totalUsd` is the exact sum of the other rows. A week's key is its Monday.
 */
export async function reportUsage(tx: Tx, request: UsageReportRequest): Promise<UsageReport> {
  const { key, label, order } = GROUPS[request.groupBy];
  const { rows } = await tx.query<ReportRow>(
    `SELECT ${key} AS key, ${label} AS label, r.demo, count(DISTINCT r.turn_id)::int AS turns, sum(r.input_tokens) AS input, sum(r.output_tokens) AS output,
       sum(r.cache_read_tokens) AS cache_read, sum(r.cache_write_5m_tokens + r.cache_write_1h_tokens) AS cache_write, sum(r.cost_usd) AS cost
     FROM usage_record r
     WHERE r.team_id = $1 AND $2::text IS NOT NULL AND ($3::timestamptz IS NULL OR r.at >= $3) AND ($4::timestamptz IS NULL OR r.at < $4)
       AND ($5::text IS NULL OR r.user_id = $5)
     GROUP BY 1, 2, r.demo ORDER BY ${order}, r.demo`,
    [request.teamId, request.timezone, request.from, request.to, request.userId ?? null],
  );
  const total = await tx.query<{ total: string }>(
    `SELECT coalesce(sum(cost_usd), 0) AS total FROM usage_record r
     WHERE r.team_id = $1 AND NOT r.demo AND ($2::timestamptz IS NULL OR r.at >= $2) AND ($3::timestamptz IS NULL OR r.at < $3) AND ($4::text IS NULL OR r.user_id = $4)`,
    [request.teamId, request.from, request.to, request.userId ?? null],
  );
  return { data: rows.map(usageRow), totalUsd: normalizeMoney(total.rows[0]?.total ?? '0'), nextCursor: null };
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

function usageRow(row: ReportRow): UsageReport['data'][number] {
  return {
    key: row.key,
    label: row.label ?? row.key,
    turns: row.turns,
    usage: {
      inputTokens: Number(row.input),
      outputTokens: Number(row.output),
      cacheReadTokens: Number(row.cache_read),
      cacheWriteTokens: Number(row.cache_write),
    },
    costUsd: normalizeMoney(row.cost),
    demo: row.demo,
  };
}
