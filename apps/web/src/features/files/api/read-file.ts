import type { FileContent } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';

export function fileQuery(sessionId: string, path: string, revision: number) {
  return queryOptions({
    queryKey: ['file', sessionId, path, revision],
    queryFn: ({ signal }) => request<FileContent>(`/v1/sessions/${sessionId}/files/content${queryString({ path })}`, { signal }),
    placeholderData: (previous) => (previous?.path === path ? previous : undefined),
    retry: 1,
  });
}
