import type { WorkspaceDiff } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function diffQuery(sessionId: string, revision: number) {
  return queryOptions({
    queryKey: ['diff', sessionId, revision],
    queryFn: ({ signal }) => request<WorkspaceDiff>(`/v1/sessions/${sessionId}/diff`, { signal }),
    placeholderData: (previous) => previous,
    retry: 1,
  });
}
