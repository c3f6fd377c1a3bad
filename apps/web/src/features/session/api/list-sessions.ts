import type { Page, Session } from '@chirality/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';

export type SessionsFilter = { projectId?: string; search?: string; archived?: boolean };

/** Changes are pushed (see apply-session-changes.ts); this is for one that was lost on its way. */
const ASK_AGAIN_MS = 120_000;

export function sessionsQuery(filter: SessionsFilter) {
  return infiniteQueryOptions({
    queryKey: ['sessions', filter],
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
  queryKey: ['sessions', 'recent'],
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
