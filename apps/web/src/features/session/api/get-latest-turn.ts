import type { Page, Turn } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

/** The latest turn as its row has it: resolved options with their origins, and its author's name. `seen` asks anew. */
export function latestTurnQuery(sessionId: string, seen: string | null) {
  return queryOptions({
    queryKey: ['latest-turn', sessionId, seen],
    queryFn: async ({ signal }) => (await request<Page<Turn>>(`/v1/sessions/${sessionId}/turns?limit=1`, { signal })).data[0] ?? null,
    staleTime: 30_000,
    placeholderData: (previous) => previous,
  });
}
