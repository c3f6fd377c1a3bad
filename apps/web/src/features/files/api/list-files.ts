import type { FileList } from '@chirality/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';

/** One directory in pages. `revision` rises with each change of the workspace that we heard of, and asks again. */
export function filesQuery(sessionId: string, path: string, revision: number) {
  return infiniteQueryOptions({
    queryKey: ['files', sessionId, path, revision],
    queryFn: ({ signal, pageParam }) => request<FileList>(`/v1/sessions/${sessionId}/files${queryString({ path, cursor: pageParam })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (previous) => previous,
    retry: 1,
  });
}
