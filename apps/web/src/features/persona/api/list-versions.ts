import type { Page, PersonaVersion } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

/** Newest first. */
export function personaVersionsQuery(personaId: string) {
  return queryOptions({
    queryKey: ['team-persona', personaId, 'versions'],
    queryFn: async ({ signal }) =>
      (await request<Page<PersonaVersion>>(`/v1/personas/${personaId}/versions`, { signal })).data,
  });
}
