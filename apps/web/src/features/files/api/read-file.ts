import type { FileContent } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';
import { retryOnce } from '../../../lib/http/retry-once';
import { sourceRequest, type FileSource } from '../file-source';

export function fileQuery(source: FileSource, path: string) {
  const { url, key, options } = sourceRequest(source);
  return queryOptions({
    queryKey: ['file', ...key, path, source.revision],
    queryFn: ({ signal }) => request<FileContent>(`${url}/content${queryString({ path })}`, { signal, ...options }),
    placeholderData: (previous) => (previous?.path === path ? previous : undefined),
    retry: retryOnce,
  });
}
