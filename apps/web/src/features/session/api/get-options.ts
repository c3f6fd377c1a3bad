import type { ResolvedOptions } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

/** What holds for the session's next turn, each option with where it comes from. */
export function optionsQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['options', sessionId],
    queryFn: ({ signal }) => request<ResolvedOptions>(`/v1/sessions/${sessionId}/options`, { signal }),
    staleTime: 0,
  });
}
