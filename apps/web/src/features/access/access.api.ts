import type { Me, Member, Page } from '@chirality/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request<Me>('/v1/me', { signal }),
  staleTime: 60_000,
});

export function membersQuery(teamId: string) {
  return queryOptions({
    queryKey: ['members', teamId],
    queryFn: async ({ signal }) => (await request<Page<Member>>(`/v1/teams/${teamId}/members`, { signal })).data,
    staleTime: 60_000,
  });
}

/** Which teams I am in, or what is set for one, has changed. */
export function teamsChanged(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: meQuery.queryKey });
}

/** Of one team, or without it of all. */
export function membersChanged(queries: QueryClient, teamId?: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: teamId === undefined ? ['members'] : membersQuery(teamId).queryKey });
}
