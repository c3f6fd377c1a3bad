import type { TeamPersona } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function teamPersonaQuery(personaId: string) {
  return queryOptions({
    queryKey: ['team-persona', personaId],
    queryFn: ({ signal }) => request<TeamPersona>(`/v1/personas/${personaId}`, { signal }),
  });
}
