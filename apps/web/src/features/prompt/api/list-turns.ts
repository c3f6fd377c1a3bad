import type { Page, Turn } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

/** The latest turns, newest first. */
export function turnsQuery(sessionId: string, revision: string) {
  return queryOptions({
    queryKey: ['turns', sessionId, revision],
    queryFn: async ({ signal }) =>
      (await request<Page<Turn>>(`/v1/sessions/${sessionId}/turns?limit=50`, { signal })).data,
    placeholderData: (previous) => previous,
  });
}
