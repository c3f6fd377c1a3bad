import { rollupSpans, type Span } from './rollup-spans';

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;

/** Collects the values of a statement and answers their places. */
export type Bind = (value: unknown) => string;

export type Dimension = 'user' | 'project' | 'session' | 'persona' | 'model' | 'time';

const COLUMN: Record<Exclude<Dimension, 'time'>, string> = {
  user: 'r.user_id',
  project: 'r.project_id',
  session: 'r.session_id',
  persona: `coalesce(r.persona, '')`,
  model: 'r.model',
};

const ROLLED =
  'r.demo, r.turns, r.messages, r.unpriced_messages AS unpriced, r.input_tokens AS input, r.output_tokens AS output, r.cache_read_tokens AS cache_read, r.cache_write_tokens AS cache_write, r.cost_usd AS cost';
const plainColumns = (first: string) =>
  `r.demo, r.${first}::int AS turns, 1 AS messages, (r.cost_usd IS NULL)::int AS unpriced, r.input_tokens AS input, r.output_tokens AS output, r.cache_read_tokens AS cache_read,
   r.cache_write_5m_tokens + r.cache_write_1h_tokens AS cache_write, coalesce(r.cost_usd, 0) AS cost`;

interface LinesRequest extends Span {
  teamId: string;
  dimension: Dimension;
  /** What lines of the dimension `time` are grouped by, of a moment; left out, one group of all. */
  calendarKey?: (moment: string) => string;
  /** Only what this person's turns used, and only in this project; no roll-up knows that. */
  userId?: string;
  projectId?: string;
}

/**
 * A SELECT of lines (key, demo, turns, messages, unpriced, tokens, cost) that add up to the usage of the range: roll-ups for
 * whole buckets, and rows for what is left of it at its edges.
 */
export function usageLinesSql(
  { teamId, dimension, calendarKey = () => `''`, from, to, ...only }: LinesRequest,
  bind: Bind,
): string {
  const isTime = dimension === 'time';
  const { whole, edges } =
    only.userId === undefined && only.projectId === undefined
      ? rollupSpans({ from, to }, isTime ? QUARTER_MS : DAY_MS)
      : { whole: null, edges: [{ from, to }] };
  const team = bind(teamId);
  const within = (moment: string, span: Span) =>
    [span.from && `${moment} >= ${bind(span.from)}`, span.to && `${moment} < ${bind(span.to)}`].filter(
      (condition) => condition !== null,
    );
  const selects = edges.map((edge) => {
    const key = isTime ? calendarKey('r.at') : COLUMN[dimension];
    const conditions = [`r.team_id = ${team}`, ...within('r.at', edge), ...onlySql(only, bind)];
    return `SELECT ${key} AS key, ${plainColumns(dimension === 'model' ? 'first_of_model' : 'first_of_turn')} FROM usage_record r WHERE ${conditions.join(' AND ')}`;
  });
  if (whole !== null) {
    const conditions = [`r.team_id = ${team}`, `r.dimension = '${dimension}'`, ...within('r.bucket', whole)];
    selects.push(
      `SELECT ${isTime ? calendarKey('r.bucket') : 'r.key'} AS key, ${ROLLED} FROM usage_rollup r WHERE ${conditions.join(' AND ')}`,
    );
  }
  // Of an empty range too the key is read as always: Postgres knows no type of a value that is bound and not used.
  if (selects.length === 0)
    selects.push(
      `SELECT ${isTime ? calendarKey('r.bucket') : 'r.key'} AS key, ${ROLLED} FROM usage_rollup r WHERE false AND r.team_id = ${team}`,
    );
  return selects.join('\nUNION ALL ');
}

/** Conditions of a row of usage `r`. */
export function onlySql({ userId, projectId }: Pick<LinesRequest, 'userId' | 'projectId'>, bind: Bind): string[] {
  return [
    ...(userId === undefined ? [] : [`r.user_id = ${bind(userId)}`]),
    ...(projectId === undefined ? [] : [`r.project_id = ${bind(projectId)}`]),
  ];
}
