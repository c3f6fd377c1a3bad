import type { Page, TeamPersona } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function teamPersonasQuery(teamId: string) {
  return queryOptions({
    queryKey: ['team-personas', teamId],
    queryFn: async ({ signal }) => (await request<Page<TeamPersona>>(`/v1/personas?teamId=${teamId}`, { signal })).data,
  });
}
