import type { CommitList, WorkspaceDiff, WorkspaceFilePatch } from '@chirality/contracts';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';
import { retryOnce } from '../../../lib/http/retry-once';

/** What is compared: files that are not committed, or what one commit changed. */
export type Comparison = { commit: string } | { scope: 'uncommitted' };

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
    queryFn: ({ signal, pageParam }) =>
      timed(
        key,
        request<WorkspaceDiff>(`/v1/sessions/${sessionId}/diff${queryString({ ...comparison, cursor: pageParam })}`, {
          signal,
          timeoutMs: COMPARE_MS,
        }),
      ),
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
      request<WorkspaceFilePatch>(
        `/v1/sessions/${sessionId}/diff/file${queryString({ ...comparison, path, oldPath, from: pageParam })}`,
        { signal, timeoutMs: COMPARE_MS },
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
    queryFn: ({ signal, pageParam }) =>
      request<CommitList>(`/v1/sessions/${sessionId}/commits${queryString({ cursor: pageParam })}`, {
        signal,
        timeoutMs: COMPARE_MS,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (previous) => previous,
    refetchInterval: IDLE_MS,
    retry: retryOnce,
  });
}

/** How much of a session exists only in it: for the moment before it is archived. */
export function atStakeQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['at-stake', sessionId],
    queryFn: async ({ signal }) => {
      const [diff, commits] = await Promise.all([
        request<WorkspaceDiff>(`/v1/sessions/${sessionId}/diff${queryString({ scope: 'uncommitted' })}`, {
          signal,
          timeoutMs: COMPARE_MS,
        }),
        request<CommitList>(`/v1/sessions/${sessionId}/commits`, { signal, timeoutMs: COMPARE_MS }),
      ]);
      return {
        files: diff.totals.files,
        atLeast: diff.totals.atLeast,
        nested: diff.nested.length,
        commits: commits.total,
      };
    },
    staleTime: 0,
    gcTime: 0,
    retry: retryOnce,
  });
}

type Order = { sessionId: string; message: string; paths?: string[] | undefined };

/** A commit of many files takes its time. */
const COMMIT_MS = 11 * 60_000;

/** Without `paths` everything that is not ignored is committed. */
export function commitChanges({ sessionId, message, paths }: Order): Promise<{ commit: string }> {
  return request(`/v1/sessions/${sessionId}/commit`, {
    method: 'POST',
    timeoutMs: COMMIT_MS,
    body: { message, ...(paths ? { paths } : {}) },
  });
}

/** After a commit: what is not committed, and the commits. */
export async function changesCommitted(queries: QueryClient, sessionId: string): Promise<void> {
  await Promise.all(['diff', 'commits'].map((name) => queries.invalidateQueries({ queryKey: [name, sessionId] })));
}
