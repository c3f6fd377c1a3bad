import type { FileList, ProjectFileList } from '@chirality/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';
import { retryOnce } from '../../../lib/http/retry-once';
import { sourceRequest, type FileSource } from '../file-source';

/** A page of a directory; of a project's with the commit that it stands at. */
export type ListedFiles = FileList & { commit?: ProjectFileList['commit'] };

/** One directory in pages. */
export function filesQuery(source: FileSource, path: string) {
  const { url, key, options } = sourceRequest(source);
  return infiniteQueryOptions({
    queryKey: ['files', ...key, path, source.revision],
    queryFn: ({ signal, pageParam }) =>
      request<ListedFiles>(`${url}${queryString({ path, cursor: pageParam })}`, { signal, ...options }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (previous) => previous,
    retry: retryOnce,
  });
}
