import { searchQuerySchema, type SearchHit, type SearchStatus } from '@chirality/contracts';
import { momentHash } from '../../lib/transcript/moment';

/** What the search page's address holds; `from` and `to` are days, both included. */
export type SearchAddress = {
  q?: string | undefined;
  project?: string | undefined;
  person?: string | undefined;
  persona?: string | undefined;
  status?: SearchStatus | undefined;
  model?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

const DAY = /^[12]\d{3}-\d{2}-\d{2}$/;
const STATUSES = searchQuerySchema.shape.status;

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};
const day = (value: unknown): string | undefined =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** What an address asks for; what cannot be a filter is left out. */
export function readSearchAddress(search: Record<string, unknown>): SearchAddress {
  return {
    q: text(search['q']),
    project: text(search['project']),
    person: text(search['person']),
    persona: text(search['persona']),
    status: STATUSES.safeParse(search['status']).data,
    model: text(search['model']),
    from: day(search['from']),
    to: day(search['to']),
  };
}

/**
 * The same as the server takes it: from the beginning of the first day to the end of the last, in the browser's time
 * zone.
 */
export function searchFilterOf({ q, project, person, persona, status, model, from, to }: SearchAddress) {
  return {
    q: q?.trim() ?? '',
    ...(project !== undefined && { projectId: project }),
    ...(person !== undefined && { userId: person }),
    ...(persona !== undefined && { persona }),
    ...(status !== undefined && { status }),
    ...(model !== undefined && { model }),
    ...(from !== undefined && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to !== undefined && { to: dayAfter(to).toISOString() }),
  };
}

/** The beginning of the next day of the calendar: a day on which the clocks change has not 24 hours. */
function dayAfter(date: string): Date {
  const next = new Date(`${date}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return next;
}

/** Where a hit leads: to its session, and in it to its place. */
export function hitLink({ session, turn, eventId }: SearchHit) {
  return {
    to: '/sessions/$sessionId',
    params: { sessionId: session },
    ...(turn !== null && { hash: momentHash({ turnId: turn, eventId }) }),
  } as const;
}
