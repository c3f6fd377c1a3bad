import type { FileEntry, Page } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';

/** One directory. `revision` rises with each change of the workspace that we heard of, and asks anew. */
export function filesQuery(sessionId: string, path: string, revision: number) {
  return queryOptions({
    queryKey: ['files', sessionId, path, revision],
    queryFn: async ({ signal }) => (await request<Page<FileEntry>>(`/v1/sessions/${sessionId}/files${queryString({ path })}`, { signal })).data,
    placeholderData: (previous) => previous,
    retry: 1,
  });
}
