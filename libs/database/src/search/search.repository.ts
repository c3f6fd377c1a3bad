import type { Page, SearchHit, SessionStatus } from '@chirality/contracts';
import { searchSnippet, type SearchTerm } from '@chirality/domain';
import type { Database } from '../connection/database';
import {
  selectTexts,
  selectTitles,
  type FoundTextRow,
  type FoundTitleRow,
  type SearchScope,
  type TextPlace,
  type TitlePlace,
} from './search.sql';

type SearchRequest = SearchScope & { terms: readonly SearchTerm[]; cursor?: string | undefined; limit: number };

/** Where a page begins: among the titles, which come first, or among the texts. */
type Place = { titles: TitlePlace | null } | { texts: TextPlace | null };

const TITLE_CURSOR = /^s (\S+) (\w+)$/;
const TEXT_CURSOR = /^x (\S+) (\w+) (\d{1,18}) (\w+)$/;

/** Finds what was said and done in sessions, for people: only what the list of sessions would show them. */
export class SearchRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Titles first, then texts, each latest first; what is added meanwhile moves nothing on later pages. */
  async search(userId: string, { terms, cursor, limit, ...scope }: SearchRequest): Promise<Page<SearchHit>> {
    const place = placeOf(cursor);
    const hits: SearchHit[] = [];
    if ('titles' in place) {
      const rows = await selectTitles(this.database.pool, userId, terms, {
        ...scope,
        after: place.titles,
        limit: limit + 1,
      });
      hits.push(...rows.map((row) => titleHit(row, terms)));
    }
    if (hits.length <= limit) {
      const rows = await selectTexts(this.database.pool, userId, terms, {
        ...scope,
        after: 'texts' in place ? place.texts : null,
        limit: limit + 1 - hits.length,
      });
      hits.push(...rows.map((row) => textHit(row, terms)));
    }
    const data = hits.slice(0, limit);
    const last = data.at(-1);
    return { data, nextCursor: hits.length > limit && last ? cursorAfter(last) : null };
  }
}

function titleHit(row: FoundTitleRow, terms: readonly SearchTerm[]): SearchHit {
  return {
    session: row.id,
    turn: null,
    eventId: null,
    field: 'title',
    ...searchSnippet(row.title, terms),
    ...sessionOf(row),
    at: row.created_at.toISOString(),
  };
}

function textHit(row: FoundTextRow, terms: readonly SearchTerm[]): SearchHit {
  return {
    session: row.session_id,
    turn: row.turn_id,
    eventId: Number(row.event_id),
    field: row.field,
    ...searchSnippet(row.text, terms),
    ...sessionOf(row),
    at: row.at.toISOString(),
  };
}

function sessionOf(row: FoundTextRow | FoundTitleRow): Pick<SearchHit, 'title' | 'projectId' | 'status'> {
  return { title: row.title, projectId: row.project_id, status: statusOf(row) };
}

function statusOf({ is_archived, active_status }: FoundTextRow | FoundTitleRow): SessionStatus {
  if (is_archived) return 'archived';
  if (active_status === null) return 'idle';
  return active_status === 'awaiting_permission' ? 'waiting' : 'running';
}

function cursorAfter({ at, session, eventId, field }: SearchHit): string {
  const place = eventId === null ? `s ${at} ${session}` : `x ${at} ${session} ${eventId} ${field}`;
  return Buffer.from(place).toString('base64url');
}

/** The beginning for anything that is no such cursor. */
function placeOf(cursor: string | undefined): Place {
  const text = Buffer.from(cursor ?? '', 'base64url').toString('latin1');
  const [, time = '', sessionId = '', eventId, field] = TEXT_CURSOR.exec(text) ?? TITLE_CURSOR.exec(text) ?? [];
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return { titles: null };
  if (eventId === undefined || field === undefined) return { titles: { at, sessionId } };
  return { texts: { at, sessionId, eventId, field } };
}
