import type { FileContent, FileList, ProjectFileList } from '@chirality/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api, within } from '../../lib/http/api';
import { retryOnce } from '../../lib/http/retry-once';
import type { FileSource } from './file-source';

/** A page of a directory; of a project's with the commit that it stands at. */
type ListedFiles = FileList & { commit?: ProjectFileList['commit'] };

/** A worker may first have to build the project's repository. */
const PROJECT_MS = 60_000;

type FilesAsked = { path?: string; find?: string; cursor?: string | undefined };

function listFiles({ of, id }: FileSource, query: FilesAsked, signal: AbortSignal): Promise<ListedFiles> {
  return of === 'sessions'
    ? answerOf(api.GET('/v1/sessions/{sessionId}/files', { params: { path: { sessionId: id }, query }, signal }))
    : answerOf(
        api.GET('/v1/projects/{projectId}/files', {
          params: { path: { projectId: id }, query },
          signal,
          ...within(PROJECT_MS),
        }),
      );
}

function readFile({ of, id }: FileSource, path: string, signal: AbortSignal): Promise<FileContent> {
  return of === 'sessions'
    ? answerOf(
        api.GET('/v1/sessions/{sessionId}/files/content', {
          params: { path: { sessionId: id }, query: { path } },
          signal,
        }),
      )
    : answerOf(
        api.GET('/v1/projects/{projectId}/files/content', {
          params: { path: { projectId: id }, query: { path } },
          signal,
          ...within(PROJECT_MS),
        }),
      );
}

/** One directory in pages. */
export function filesQuery(source: FileSource, path: string) {
  const { of, id, revision } = source;
  return infiniteQueryOptions({
    queryKey: ['files', of, id, path, revision],
    queryFn: ({ signal, pageParam: cursor }) => listFiles(source, { path, cursor }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (previous) => previous,
    retry: retryOnce,
  });
}

/** What has `find` in its name, in any folder. */
export function findFilesQuery(source: FileSource, find: string) {
  const { of, id, revision } = source;
  return queryOptions({
    queryKey: ['find-files', of, id, find, revision],
    queryFn: ({ signal }) => listFiles(source, { find }, signal),
    placeholderData: (previous) => previous,
    retry: retryOnce,
  });
}

export function fileQuery(source: FileSource, path: string) {
  const { of, id, revision } = source;
  return queryOptions({
    queryKey: ['file', of, id, path, revision],
    queryFn: ({ signal }) => readFile(source, path, signal),
    placeholderData: (previous) => (previous?.path === path ? previous : undefined),
    retry: retryOnce,
  });
}
