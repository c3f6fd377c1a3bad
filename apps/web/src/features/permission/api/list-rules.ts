import type { Page, SessionRule } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function rulesQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['rules', sessionId],
    queryFn: async ({ signal }) =>
      (await request<Page<SessionRule>>(`/v1/sessions/${sessionId}/rules`, { signal })).data,
  });
}
