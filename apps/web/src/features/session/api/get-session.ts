import type { Session } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function sessionQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['session', sessionId],
    queryFn: ({ signal }) => request<Session>(`/v1/sessions/${sessionId}`, { signal }),
    staleTime: 10_000,
  });
}
