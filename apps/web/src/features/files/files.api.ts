import type { FileContent, FileList, ProjectFileList } from '@chirality/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';
import { queryString } from '../../lib/http/query-string';
import { retryOnce } from '../../lib/http/retry-once';
import { type FileSource, sourceRequest } from './file-source';

/** A page of a directory; of a project's with the commit that it stands at. */
type ListedFiles = FileList & { commit?: ProjectFileList['commit'] };

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

/** What has `find` in its name, in any folder. */
export function findFilesQuery(source: FileSource, find: string) {
  const { url, key, options } = sourceRequest(source);
  return queryOptions({
    queryKey: ['find-files', ...key, find, source.revision],
    queryFn: ({ signal }) => request<ListedFiles>(`${url}${queryString({ find })}`, { signal, ...options }),
    placeholderData: (previous) => previous,
    retry: retryOnce,
  });
}

export function fileQuery(source: FileSource, path: string) {
  const { url, key, options } = sourceRequest(source);
  return queryOptions({
    queryKey: ['file', ...key, path, source.revision],
    queryFn: ({ signal }) => request<FileContent>(`${url}/content${queryString({ path })}`, { signal, ...options }),
    placeholderData: (previous) => (previous?.path === path ? previous : undefined),
    retry: retryOnce,
  });
}
