import type { Page, Persona } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function personasQuery(projectId: string) {
  return queryOptions({
    queryKey: ['personas', projectId],
    queryFn: async ({ signal }) => (await request<Page<Persona>>(`/v1/projects/${projectId}/personas`, { signal })).data,
    staleTime: 60_000,
  });
}
