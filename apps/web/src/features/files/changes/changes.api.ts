import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, within } from '../../../lib/http/api';
import { ApiError } from '../../../lib/http/api-error';
import { retryOnce } from '../../../lib/http/retry-once';
import type { Comparison } from '../comparison';

export const UNCOMMITTED = { scope: 'uncommitted' } as const satisfies Comparison;

/** The server answers before. */
const COMPARE_MS = 60_000;
const LIVE_MS = 3_000;
const IDLE_MS = 20_000;
/** A comparison that took long is not asked for again at once: it would be all that the worker does. */
const REST_FACTOR = 3;
const tookMs = new Map<string, number>();

function keyOf(sessionId: string, comparison: Comparison): string {
  return 'commit' in comparison ? comparison.commit : sessionId;
}

/** How long a session's files are not compared again after a comparison, so that it is not all that the worker does. */
export function restAfterMs(sessionId: string): number {
  return Math.max(LIVE_MS, REST_FACTOR * (tookMs.get(sessionId) ?? 0));
}

type DiffQuery = { commit?: string; scope?: 'uncommitted'; cursor?: string | undefined };

function getDiff(sessionId: string, query: DiffQuery, signal: AbortSignal) {
  return answerOf(
    api.GET('/v1/sessions/{sessionId}/diff', { params: { path: { sessionId }, query }, signal, ...within(COMPARE_MS) }),
  );
}

function getCommits(sessionId: string, cursor: string | undefined, signal: AbortSignal) {
  return answerOf(
    api.GET('/v1/sessions/{sessionId}/commits', {
      params: { path: { sessionId }, query: { cursor } },
      signal,
      ...within(COMPARE_MS),
    }),
  );
}

async function timed<T>(key: string, work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const answer = await work;
  tookMs.set(key, performance.now() - startedAt);
  return answer;
}

/** Pages of changed files. Asked again while a turn runs, for one long command may change files again and again. */
export function diffQuery(
  sessionId: string,
  comparison: Comparison,
  { revision, isRunning }: { revision: string; isRunning: boolean },
) {
  const isSettled = 'commit' in comparison;
  const key = keyOf(sessionId, comparison);
  return infiniteQueryOptions({
    queryKey: ['diff', sessionId, comparison, isSettled ? '' : revision],
    queryFn: ({ signal, pageParam: cursor }) => timed(key, getDiff(sessionId, { ...comparison, cursor }, signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (previous) => previous,
    refetchInterval: isSettled
      ? false
      : () => Math.max(isRunning ? LIVE_MS : IDLE_MS, REST_FACTOR * (tookMs.get(key) ?? 0)),
    staleTime: isSettled ? Infinity : 0,
    retry: retryOnce,
  });
}

type PatchOf = {
  sessionId: string;
  comparison: Comparison;
  path: string;
  oldPath?: string | undefined;
  version: string;
};

/** The patch of one file in parts. `version` changes when the file does. */
export function filePatchQuery({ sessionId, comparison, path, oldPath, version }: PatchOf) {
  return infiniteQueryOptions({
    queryKey: ['file-patch', sessionId, comparison, path, version],
    queryFn: ({ signal, pageParam }) =>
      answerOf(
        api.GET('/v1/sessions/{sessionId}/diff/file', {
          params: { path: { sessionId }, query: { ...comparison, path, oldPath, from: pageParam } },
          signal,
          ...within(COMPARE_MS),
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: (previous) => previous,
    retry: retryOnce,
  });
}

/** The commits that the session made, newest first. */
export function commitsQuery(sessionId: string, revision: string) {
  return infiniteQueryOptions({
    queryKey: ['commits', sessionId, revision],
    queryFn: ({ signal, pageParam }) => getCommits(sessionId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (previous) => previous,
    refetchInterval: IDLE_MS,
    retry: retryOnce,
  });
}

/** What exists only in a session: for the moment before it goes. */
export function unpushedWorkQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['unpushed-work', sessionId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/sessions/{sessionId}/unpushed-work', { params: { path: { sessionId } }, signal })),
    staleTime: 0,
    gcTime: 0,
    retry: retryOnce,
  });
}

/** A commit of many files takes its time. */
const COMMIT_MS = 11 * 60_000;
const MAX_REPEATS = 5;

/** Without `paths` everything that is not ignored is committed. */
type CommitOrder = { message: string; paths?: string[] };

/** `on` is called wherever the person is by then. */
export function useCommitChanges(
  sessionId: string,
  on: { onCommitted: (order: CommitOrder) => void; onRefused: (error: Error, order: CommitOrder) => void },
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CommitOrder) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/commit', { params: { path: { sessionId } }, body, ...within(COMMIT_MS) }),
      ),
    // A proxy may give up before the commit is made. The same order again is answered with the same commit.
    retry: (failures, error) => failures < MAX_REPEATS && error instanceof ApiError && error.isPassing,
    // What is not committed, and the commits.
    onSuccess: async (_, order) => {
      on.onCommitted(order);
      await Promise.all(['diff', 'commits'].map((name) => queries.invalidateQueries({ queryKey: [name, sessionId] })));
    },
    onError: (error, order) => on.onRefused(error, order),
  });
}
