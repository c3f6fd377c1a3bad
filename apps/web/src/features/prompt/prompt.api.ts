import type { AssembledPrompt, Page, Turn } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';

/** The prompt of a turn or, with null, the one that the next turn would send. `revision` asks again. */
export function promptQuery(sessionId: string, turnId: string | null, revision: string) {
  const path =
    turnId === null ? `/v1/sessions/${sessionId}/prompt` : `/v1/sessions/${sessionId}/turns/${turnId}/prompt/sections`;
  return queryOptions({
    queryKey: ['prompt', sessionId, turnId, turnId === null ? revision : ''],
    queryFn: ({ signal }) => request<AssembledPrompt>(path, { signal }),
    staleTime: turnId === null ? 0 : 60_000,
  });
}

/** The latest turns, newest first. */
export function turnsQuery(sessionId: string, revision: string) {
  return queryOptions({
    queryKey: ['turns', sessionId, revision],
    queryFn: async ({ signal }) =>
      (await request<Page<Turn>>(`/v1/sessions/${sessionId}/turns?limit=50`, { signal })).data,
    placeholderData: (previous) => previous,
  });
}
