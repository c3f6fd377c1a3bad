import type { SearchStatus } from '@chirality/contracts';
import { queryText, type SearchTerm } from '@chirality/domain';
import type { Tx } from '../connection/database';
import type { SearchTextRow, SessionRow, TurnRow } from '../generated/rows';
import { maySeeSql } from '../session/session.sql';

/** What limits a search beside its words. */
export interface SearchScope {
  projectId?: string | undefined;
  /** Who sent the turn; for titles whose session it is. */
  personId?: string | undefined;
  persona?: string | undefined;
  /** Without it all that are not archived. */
  status?: SearchStatus | undefined;
  /** Part of a model's name. */
  model?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** What a token narrows lists to. */
  within?:
    { teamId: string; projects?: readonly string[] | undefined; sessions?: readonly string[] | undefined } | undefined;
}

/** The row below which a page begins. */
export type TextPlace = { at: Date; sessionId: string; eventId: string; field: string };
export type TitlePlace = { at: Date; sessionId: string };

type FoundSession = Pick<SessionRow, 'title' | 'project_id'> & {
  is_archived: boolean;
  active_status: TurnRow['status'] | null;
};
export type FoundTextRow = Pick<SearchTextRow, 'session_id' | 'event_id' | 'field' | 'turn_id' | 'at' | 'text'> &
  FoundSession;
export type FoundTitleRow = Pick<SessionRow, 'id' | 'created_at'> & FoundSession;

const IS_ARCHIVED = '(s.archived_at IS NOT NULL OR p.archived_at IS NOT NULL)';
const FOUND_SESSION = `s.title, s.project_id, ${IS_ARCHIVED} AS is_archived, active.status AS active_status`;
/** Literals, so that the planner knows what is asked for. */
const LISTED = 's.archived_at IS NULL AND p.archived_at IS NULL';
const STATUS_SQL: Record<SearchStatus, string> = {
  any: 'true',
  archived: IS_ARCHIVED,
  idle: `${LISTED} AND active.status IS NULL`,
  running: `${LISTED} AND active.status <> 'awaiting_permission'`,
  waiting: `${LISTED} AND active.status = 'awaiting_permission'`,
};

/** The values of a statement: each call keeps one and answers its place. */
type Keep = (value: unknown) => string;

function statement<Row extends object>(tx: Tx, build: (keep: Keep) => string): Promise<{ rows: Row[] }> {
  const values: unknown[] = [];
  const text = build((value) => `$${values.push(value)}`);
  return tx.query<Row>(text, values);
}

/** A session `s` with its project, the reader's membership and its live turn. */
function joinsOf(userId: string): string {
  return `JOIN project p ON p.id = s.project_id JOIN membership m ON m.team_id = s.team_id AND m.user_id = ${userId}
    LEFT JOIN project_member pm ON pm.project_id = p.id AND pm.user_id = ${userId}
    LEFT JOIN turn active ON active.active_session_id = s.id`;
}

/** The reader's rights, as the list of sessions has them, and the filters of sessions. */
function sessionConditions(userId: string, { projectId, persona, status, within }: SearchScope, keep: Keep): string[] {
  return [
    maySeeSql(userId),
    status === undefined ? LISTED : STATUS_SQL[status],
    ...(projectId === undefined ? [] : [`s.project_id = ${keep(projectId)}`]),
    ...(persona === undefined ? [] : [`s.persona = ${keep(persona)}`]),
    ...(within === undefined ? [] : [`s.team_id = ${keep(within.teamId)}`]),
    ...(within?.projects === undefined ? [] : [`s.project_id = ANY(${keep(within.projects)})`]),
    ...(within?.sessions === undefined ? [] : [`s.id = ANY(${keep(within.sessions)})`]),
  ];
}

function between(at: string, { from, to }: SearchScope, keep: Keep): string[] {
  return [
    ...(from === undefined ? [] : [`${at} >= ${keep(from)}`]),
    ...(to === undefined ? [] : [`${at} < ${keep(to)}`]),
  ];
}

/** Letters and digits are no signs of patterns. */
const patternOf = ({ words }: SearchTerm): string => `%${words.join('%')}%`;

/** Each term as its words, or a single one as its English stem. */
function wordsMatch(terms: readonly SearchTerm[], keep: Keep): string {
  const queries = terms.map((term) => {
    const words = `to_tsquery('simple', ${keep(queryText(term))})`;
    if (term.words.length > 1) return words;
    return `(${words} || to_tsquery('english', ${keep(queryText({ ...term, prefix: false }))}))`;
  });
  return `x.words @@ (${queries.join(' && ')})`;
}

/** Of so many texts, the latest, words are rare if fewer than a hundredth hold them. */
const PROBED = 2_000;
const MIN_FREQUENT = PROBED / 100;

/** The planner takes beginnings of words for frequent, and would read all texts backwards to find a few. */
async function isRare(tx: Tx, terms: readonly SearchTerm[]): Promise<boolean> {
  const { rows } = await statement<{ is_rare: boolean }>(
    tx,
    (keep) => `SELECT count(*) < ${keep(MIN_FREQUENT)} AS is_rare FROM (SELECT words FROM search_text
      ORDER BY at DESC, session_id DESC, event_id DESC, field DESC LIMIT ${keep(PROBED)}) x
      WHERE ${wordsMatch(terms, keep)}`,
  );
  return rows[0]?.is_rare ?? true;
}

/** Texts that hold all terms, and paths that hold them as parts, latest first. */
export async function selectTexts(
  tx: Tx,
  userId: string,
  terms: readonly SearchTerm[],
  { after, limit, ...scope }: SearchScope & { after: TextPlace | null; limit: number },
): Promise<FoundTextRow[]> {
  // Rare words are looked up in their index, and what is found is sorted: no index has this expression in its order.
  const time = (await isRare(tx, terms)) ? "x.at + interval '0'" : 'x.at';
  const { rows } = await statement<FoundTextRow>(tx, (keep) => {
    const reader = keep(userId);
    const paths = terms.map((term) => `x.text ILIKE ${keep(patternOf(term))}`).join(' AND ');
    const { personId, model } = scope;
    const ofTurn = [
      ...(personId === undefined ? [] : [`t.author_id = ${keep(personId)}`]),
      ...(model === undefined ? [] : [`t.model ILIKE ${keep(likePart(model))}`]),
    ];
    const conditions = [
      `(${wordsMatch(terms, keep)} OR (x.field = 'file' AND ${paths}))`,
      ...sessionConditions(reader, scope, keep),
      ...between('x.at', scope, keep),
      ...ofTurn,
      ...(after === null
        ? []
        : [
            `(x.at, x.session_id, x.event_id, x.field) < (${[after.at, after.sessionId, after.eventId, after.field].map(keep).join(', ')})`,
          ]),
    ];
    return `SELECT x.session_id, x.event_id, x.field, x.turn_id, x.at, x.text, ${FOUND_SESSION}
      FROM search_text x JOIN session s ON s.id = x.session_id ${joinsOf(reader)}
      ${ofTurn.length === 0 ? '' : 'JOIN turn t ON t.id = x.turn_id'}
      WHERE ${conditions.join(' AND ')}
      ORDER BY ${time} DESC, x.session_id DESC, x.event_id DESC, x.field DESC LIMIT ${keep(limit)}`;
  });
  return rows;
}

/** Sessions whose titles hold all terms, in any case, latest begun first. */
export async function selectTitles(
  tx: Tx,
  userId: string,
  terms: readonly SearchTerm[],
  { after, limit, ...scope }: SearchScope & { after: TitlePlace | null; limit: number },
): Promise<FoundTitleRow[]> {
  const { rows } = await statement<FoundTitleRow>(tx, (keep) => {
    const reader = keep(userId);
    const { personId, model } = scope;
    const conditions = [
      ...terms.map((term) => `s.title ILIKE ${keep(patternOf(term))}`),
      ...sessionConditions(reader, scope, keep),
      ...between('s.created_at', scope, keep),
      ...(personId === undefined ? [] : [`s.owner_id = ${keep(personId)}`]),
      ...(model === undefined
        ? []
        : [`EXISTS (SELECT 1 FROM turn t WHERE t.session_id = s.id AND t.model ILIKE ${keep(likePart(model))})`]),
      ...(after === null ? [] : [`(s.created_at, s.id) < (${keep(after.at)}, ${keep(after.sessionId)})`]),
    ];
    return `SELECT s.id, s.created_at, ${FOUND_SESSION} FROM session s ${joinsOf(reader)}
      WHERE ${conditions.join(' AND ')} ORDER BY s.created_at DESC, s.id DESC LIMIT ${keep(limit)}`;
  });
  return rows;
}

function likePart(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
