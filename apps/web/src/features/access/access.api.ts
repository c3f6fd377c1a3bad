import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/me', { signal })),
  staleTime: 60_000,
});

export function membersQuery(teamId: string) {
  return queryOptions({
    queryKey: ['members', teamId],
    queryFn: ({ signal }) => rowsOf(api.GET('/v1/teams/{teamId}/members', { params: { path: { teamId } }, signal })),
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
