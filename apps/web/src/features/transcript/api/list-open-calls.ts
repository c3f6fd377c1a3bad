import type { OpenToolCall, Page } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

/** Tool calls with an unknown outcome. A new `seen` asks again: it changes when a turn ends and with a verdict. */
export function openCallsQuery(sessionId: string, seen: string) {
  return queryOptions({
    queryKey: ['open-calls', sessionId, seen],
    queryFn: async ({ signal }) =>
      (await request<Page<OpenToolCall>>(`/v1/sessions/${sessionId}/tools/open`, { signal })).data,
    placeholderData: (previous) => previous,
  });
}
