import type { OpenPullRequest, SendPullRequest } from '@chirality/contracts';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { answerOf, api, within } from '../../lib/http/api';
import { ApiError } from '../../lib/http/api-error';
import { retryOnce } from '../../lib/http/retry-once';

/** The server asks the host at most once a minute, however many people look. */
const READ_EVERY_MS = 20_000;
/** Another person may open one. */
const LOOK_EVERY_MS = 120_000;
const READ_MS = 45_000;
const OPEN_MS = 90_000;
const PUSH_MS = 4 * 60_000;

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

/** The remote or the host has something new of it: the pages that show it ask again. */
export function pullRequestChanged(queries: QueryClient, sessionId: string): void {
  void queries.invalidateQueries({ queryKey: pullRequestQuery(sessionId).queryKey });
  void queries.invalidateQueries({ queryKey: ['push', sessionId] });
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

/** Where the remote itself offers to open one of the branch that was pushed last. */
export function remoteCreateUrlQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['push', sessionId, 'create-url'],
    queryFn: async ({ signal }) => {
      const { last } = await answerOf(
        api.GET('/v1/sessions/{sessionId}/push', { params: { path: { sessionId } }, signal }),
      );
      return last?.createUrl ?? null;
    },
    staleTime: 0,
    retry: retryOnce,
  });
}

/** The session's commits, on the branch that the remote has them on then. */
async function pushSession(sessionId: string, known: string | null): Promise<string> {
  try {
    const params = { path: { sessionId } };
    return (await answerOf(api.POST('/v1/sessions/{sessionId}/push', { params, body: {}, ...within(PUSH_MS) }))).branch;
  } catch (error) {
    // The remote has all of it already.
    if (known !== null && error instanceof ApiError && error.code === 'GIT_NOTHING_TO_PUSH') return known;
    throw error;
  }
}

type PullRequestOrder = Omit<OpenPullRequest, 'head'> & {
  /** Null: the session's commits are pushed first, and their branch is taken. */
  head: string | null;
  /** The branch that was pushed to before. */
  pushed: string | null;
};

export function useOpenPullRequest(sessionId: string, onOpened: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ head, pushed, ...body }: PullRequestOrder) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/pull-request', {
          params: { path: { sessionId } },
          body: { ...body, head: head ?? (await pushSession(sessionId, pushed)) },
          ...within(OPEN_MS),
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: pullRequestQuery(sessionId).queryKey });
      onOpened();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['push', sessionId] }),
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
