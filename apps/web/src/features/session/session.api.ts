import type { CreateSession, Harness, Page, ResolvedOptions, Session, UpdateSession } from '@chirality/contracts';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';
import { queryString } from '../../lib/http/query-string';
import { sessionsKey } from '../../lib/http/shared-keys';

/** What holds for the session's next turn, each option with where it comes from. */
export function optionsQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['options', sessionId],
    queryFn: ({ signal }) => request<ResolvedOptions>(`/v1/sessions/${sessionId}/options`, { signal }),
    staleTime: 0,
  });
}

export function sessionQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['session', sessionId],
    queryFn: ({ signal }) => request<Session>(`/v1/sessions/${sessionId}`, { signal }),
    staleTime: 10_000,
  });
}

export const harnessesQuery = queryOptions({
  queryKey: ['harnesses'],
  queryFn: async ({ signal }) => (await request<Page<Harness>>('/v1/harnesses', { signal })).data,
  staleTime: 60_000,
});

export type SessionsFilter = { projectId?: string; search?: string; archived?: boolean };

/** Changes are pushed (see apply-session-changes.ts); this is for one that was lost on its way. */
const ASK_AGAIN_MS = 120_000;

export function sessionsQuery(filter: SessionsFilter) {
  return infiniteQueryOptions({
    queryKey: [...sessionsKey, filter],
    queryFn: ({ signal, pageParam }) =>
      request<Page<Session>>(`/v1/sessions${queryString({ ...filter, cursor: pageParam, limit: 50 })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ASK_AGAIN_MS,
    placeholderData: (previous) => previous,
  });
}

/** The latest sessions of all projects, and every one that waits for a person, for the sidebar and the palette. */
export const recentSessionsQuery = queryOptions({
  queryKey: [...sessionsKey, 'recent'],
  queryFn: async ({ signal }) => {
    const [waiting, latest] = await Promise.all(
      ['status=waiting&', ''].map((filter) => request<Page<Session>>(`/v1/sessions?${filter}limit=100`, { signal })),
    );
    const sessions = [...(latest?.data ?? []), ...(waiting?.data ?? [])];
    return [...new Map(sessions.map((session) => [session.id, session])).values()].toSorted(
      (a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id.localeCompare(a.id),
    );
  },
  refetchInterval: ASK_AGAIN_MS,
});

/** Interrupts what runs, ends the session and puts it away; it stays readable. */
export function archiveSession(sessionId: string): Promise<void> {
  return request(`/v1/sessions/${sessionId}`, { method: 'DELETE' });
}

export function compactSession({ sessionId, key }: { sessionId: string; key: string }): Promise<unknown> {
  return request(`/v1/sessions/${sessionId}/compact`, { method: 'POST', headers: { 'idempotency-key': key } });
}

export function createSession(body: Pick<CreateSession, 'projectId'> & Partial<CreateSession>): Promise<Session> {
  return request('/v1/sessions', { method: 'POST', body });
}

/** Restores an archived session, with its files and its conversation. */
export function restoreSession(sessionId: string): Promise<Session> {
  return request(`/v1/sessions/${sessionId}/restore`, { method: 'POST' });
}

export function updateSession({ sessionId, ...body }: UpdateSession & { sessionId: string }): Promise<Session> {
  return request(`/v1/sessions/${sessionId}`, { method: 'PATCH', body });
}

/** Puts in place what a request answered: the session as it is now. */
export function keepSession(queries: QueryClient, session: Session): void {
  queries.setQueryData(sessionQuery(session.id).queryKey, session);
}

/** The lists of sessions. */
export function sessionsChanged(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: sessionsKey });
}

export function sessionOptionsChanged(queries: QueryClient, sessionId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: optionsQuery(sessionId).queryKey });
}

/** One session and what holds for its next turn. */
export async function sessionChanged(queries: QueryClient, sessionId: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: sessionQuery(sessionId).queryKey }),
    sessionOptionsChanged(queries, sessionId),
  ]);
}
