import type { Page, Session } from '@chirality/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';

export type SessionsFilter = { projectId?: string; search?: string; archived?: boolean };

/** Nobody tells us of other people's sessions, so lists that are looked at are asked again. */
const ASK_AGAIN_MS = 8_000;

export function sessionsQuery(filter: SessionsFilter) {
  return infiniteQueryOptions({
    queryKey: ['sessions', filter],
    queryFn: ({ signal, pageParam }) => request<Page<Session>>(`/v1/sessions${queryString({ ...filter, cursor: pageParam, limit: 50 })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ASK_AGAIN_MS,
    placeholderData: (previous) => previous,
  });
}

/** The latest sessions of all projects, for the sidebar and the palette. */
export const recentSessionsQuery = queryOptions({
  queryKey: ['sessions', 'recent'],
  queryFn: async ({ signal }) => (await request<Page<Session>>('/v1/sessions?limit=100', { signal })).data,
  refetchInterval: ASK_AGAIN_MS,
});
