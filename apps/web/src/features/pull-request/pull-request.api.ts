import type { OpenPullRequest, SendPullRequest } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, within } from '../../lib/http/api';
import { ApiError } from '../../lib/http/api-error';
import { retryOnce } from '../../lib/http/retry-once';

/** The server asks the host at most once a minute, however many people look. */
const READ_EVERY_MS = 20_000;
/** Another person may open one. */
const LOOK_EVERY_MS = 120_000;
const READ_MS = 45_000;
const OPEN_MS = 90_000;

/** The session's pull request; null while there is none. */
export function pullRequestQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['pull-request', sessionId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/sessions/{sessionId}/pull-request', {
          params: { path: { sessionId } },
          signal,
          ...within(READ_MS),
        }),
      ).catch((error: unknown) => {
        if (error instanceof ApiError && error.isGone) return null;
        throw error;
      }),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? READ_EVERY_MS : LOOK_EVERY_MS),
    retry: retryOnce,
  });
}

/** What the host offers before one is opened. */
export function pullRequestOptionsQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['pull-request-options', sessionId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/sessions/{sessionId}/pull-request/options', {
          params: { path: { sessionId } },
          signal,
          ...within(READ_MS),
        }),
      ),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** What the session did, for the words of a new one. */
export function pullRequestFactsQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['pull-request-facts', sessionId],
    queryFn: async ({ signal }) => {
      const params = { path: { sessionId } };
      const [commits, diff] = await Promise.all([
        answerOf(api.GET('/v1/sessions/{sessionId}/commits', { params, signal, ...within(READ_MS) })),
        answerOf(api.GET('/v1/sessions/{sessionId}/diff', { params, signal, ...within(READ_MS) })),
      ]);
      return {
        commits: commits.data.map(({ subject }) => subject),
        files: diff.files.map(({ path, additions, deletions }) => ({ path, additions, deletions })),
        totalFiles: diff.totals.files,
      };
    },
    staleTime: 0,
    gcTime: 0,
    retry: retryOnce,
  });
}

export function useOpenPullRequest(sessionId: string, onOpened: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: OpenPullRequest) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/pull-request', {
          params: { path: { sessionId } },
          body,
          ...within(OPEN_MS),
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: pullRequestQuery(sessionId).queryKey });
      onOpened();
    },
  });
}

/** `key`: the same for as long as the same choice is sent, so that a lost answer makes no second turn. */
export function useSendFeedback(sessionId: string, onSent: () => void) {
  return useMutation({
    mutationFn: ({ key, ...body }: SendPullRequest & { key: string }) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/pull-request/send', {
          params: { path: { sessionId }, header: { 'Idempotency-Key': key } },
          body,
        }),
      ),
    onSuccess: onSent,
  });
}
