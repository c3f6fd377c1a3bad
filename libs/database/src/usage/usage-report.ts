import type { UsageGroup, UsageReport } from '@chirality/contracts';
import { knownCost, normalizeMoney, sumMoney } from '@chirality/domain';
import type { Tx } from '../connection/database';

export interface UsageReportRequest {
  teamId: string;
  groupBy: UsageGroup;
  /** The first moment that counts, and the first that does not any more; null: no bound. */
  from: Date | null;
  to: Date | null;
  /** An IANA zone; days, ISO weeks and months begin at its midnight. */
  timezone: string;
  /** Who reads it: the title of somebody else's private session is not theirs to read. */
  readerId: string;
  /** Only what this person's turns used. */
  userId?: string;
}

const calendarKey = (unit: 'day' | 'week' | 'month', format: string) => {
  return { key: `to_char(date_trunc('${unit}', r.at AT TIME ZONE $2), '${format}')`, label: 'g.key', order: 'key' };
};

/** `key` is of a record `r`, `label` of a group `g`, so that a renamed thing stays one row and is looked up once. */
const GROUPS: Record<UsageGroup, { key: string; label: string; order: string }> = {
  user: { key: 'r.user_id', label: '(SELECT u.name FROM "user" u WHERE u.id = g.key)', order: 'cost DESC, key' },
  project: { key: 'r.project_id', label: '(SELECT p.name FROM project p WHERE p.id = g.key)', order: 'cost DESC, key' },
  session: { key: 'r.session_id', label: `(SELECT CASE WHEN s.visibility <> 'private' OR s.owner_id = $6 THEN s.title ELSE 'Private session' END FROM session s WHERE s.id = g.key)`, order: 'cost DESC, key' },
  persona: { key: `coalesce(r.persona, '')`, label: `coalesce(nullif(g.key, ''), 'No persona')`, order: 'cost DESC, key' },
  model: { key: 'r.model', label: 'g.key', order: 'cost DESC, key' },
  turn: { key: 'r.turn_id', label: 'g.key', order: 'key DESC' },
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
  unpriced: number;
}

/**
 * Usage of a team, grouped. The bounds are half-open, so neighbouring ranges add up to the range of both. Demo usage
 * has rows of its own and is in no total; `totalUsd` is the exact sum of the other rows, without the messages that had no price, which are counted beside it. A week's key is its Monday.
 */
export async function reportUsage(tx: Tx, request: UsageReportRequest): Promise<UsageReport> {
  const { key, label, order } = GROUPS[request.groupBy];
  const { rows } = await tx.query<ReportRow>(
    `SELECT g.*, ${label} AS label FROM (
       SELECT ${key} AS key, r.demo, count(DISTINCT r.turn_id)::int AS turns, sum(r.input_tokens) AS input, sum(r.output_tokens) AS output,
         sum(r.cache_read_tokens) AS cache_read, sum(r.cache_write_5m_tokens + r.cache_write_1h_tokens) AS cache_write, coalesce(sum(r.cost_usd), 0) AS cost,
         count(*) FILTER (WHERE r.cost_usd IS NULL)::int AS unpriced
       FROM usage_record r
       WHERE r.team_id = $1 AND $2::text IS NOT NULL AND ($3::timestamptz IS NULL OR r.at >= $3) AND ($4::timestamptz IS NULL OR r.at < $4)
         AND ($5::text IS NULL OR r.user_id = $5) AND $6::text IS NOT NULL
       GROUP BY 1, r.demo
     ) g ORDER BY ${order}, demo`,
    [request.teamId, request.timezone, request.from, request.to, request.userId ?? null, request.readerId],
  );
  const data = rows.map(usageRow);
  const charged = data.filter(({ demo }) => !demo);
  const unpricedMessages = charged.reduce((sum, row) => sum + row.unpricedMessages, 0);
  return { data, totalUsd: sumMoney(charged.map(({ costUsd }) => costUsd ?? '0')), unpricedMessages, nextCursor: null };
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
    ...knownCost(normalizeMoney(row.cost), row.unpriced),
    demo: row.demo,
  };
}
