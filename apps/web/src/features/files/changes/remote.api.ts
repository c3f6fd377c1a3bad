import type { BaseAnswer, BaseRequest, PushRequest } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { answerOf, api, within } from '../../../lib/http/api';
import { retryOnce } from '../../../lib/http/retry-once';

/** The server answers before. */
const READ_MS = 60_000;
const MERGE_MS = 11 * 60_000;
const PUSH_MS = 4 * 60_000;
const AGAIN_MS = 20_000;

/** How far the session is behind its project. `revision` changes when a turn may have changed that. */
export function baseQuery(sessionId: string, revision: string) {
  return queryOptions({
    queryKey: ['base', sessionId, revision],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/sessions/{sessionId}/base', { params: { path: { sessionId } }, signal, ...within(READ_MS) }),
      ),
    placeholderData: (previous) => previous,
    refetchInterval: AGAIN_MS,
    retry: retryOnce,
  });
}

/** Where a push of the session would go, and the last one. */
export function pushStateQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['push', sessionId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/sessions/{sessionId}/push', { params: { path: { sessionId } }, signal })),
    staleTime: 10_000,
  });
}

function workspaceChanged(queries: QueryClient, sessionId: string): Promise<unknown> {
  return Promise.all(
    ['base', 'diff', 'commits', 'push'].map((name) => queries.invalidateQueries({ queryKey: [name, sessionId] })),
  );
}

/** Brings the project's newest commit into the session, or undoes that. */
export function useChangeBase(sessionId: string) {
  const queries = useQueryClient();
  return useMutation<BaseAnswer, Error, BaseRequest['act']>({
    mutationFn: (act) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/base', {
          params: { path: { sessionId } },
          body: { act },
          ...within(MERGE_MS),
        }),
      ),
    onSettled: () => workspaceChanged(queries, sessionId),
  });
}

/** With `message` what is not committed is committed first. */
type PushOrder = PushRequest & { message?: string };

/** `push` again after a failure does not commit twice: by then nothing is left to commit. */
export function usePush(sessionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ message, ...body }: PushOrder) => {
      const params = { path: { sessionId } };
      if (message !== undefined)
        await answerOf(api.POST('/v1/sessions/{sessionId}/commit', { params, body: { message }, ...within(MERGE_MS) }));
      return answerOf(api.POST('/v1/sessions/{sessionId}/push', { params, body, ...within(PUSH_MS) }));
    },
    onSettled: () => workspaceChanged(queries, sessionId),
  });
}
