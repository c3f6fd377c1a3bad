import type { PersonaDetail } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

/** What a key means in a project, with its text. */
export function personaQuery(projectId: string, key: string) {
  return queryOptions({
    queryKey: ['personas', projectId, key],
    queryFn: ({ signal }) =>
      request<PersonaDetail>(`/v1/projects/${projectId}/personas/${encodeURIComponent(key)}`, { signal }),
  });
}
