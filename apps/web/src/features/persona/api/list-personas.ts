import type { PersonaList } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

/** What a session of the project may take, and what it may not and why. */
export function personasQuery(projectId: string) {
  return queryOptions({
    queryKey: ['personas', projectId],
    queryFn: ({ signal }) => request<PersonaList>(`/v1/projects/${projectId}/personas`, { signal }),
    staleTime: 10_000,
  });
}
