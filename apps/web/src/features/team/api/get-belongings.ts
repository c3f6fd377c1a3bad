import type { Belongings } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function belongingsQuery(teamId: string, userId: string) {
  return queryOptions({
    queryKey: ['belongings', teamId, userId],
    queryFn: ({ signal }) => request<Belongings>(`/v1/teams/${teamId}/members/${userId}/belongings`, { signal }),
    staleTime: 0,
  });
}
