import type { OpenToolCall, Page } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

/** Tool calls whose end nobody saw. `seen` asks anew: it changes when a turn ends and when somebody said what came of one. */
export function openCallsQuery(sessionId: string, seen: string) {
  return queryOptions({
    queryKey: ['open-calls', sessionId, seen],
    queryFn: async ({ signal }) =>
      (await request<Page<OpenToolCall>>(`/v1/sessions/${sessionId}/tools/open`, { signal })).data,
    placeholderData: (previous) => previous,
  });
}
