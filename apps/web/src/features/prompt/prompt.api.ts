import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';

/** The prompt of a turn or, with null, the one that the next turn would send. `revision` asks again. */
export function promptQuery(sessionId: string, turnId: string | null, revision: string) {
  return queryOptions({
    queryKey: ['prompt', sessionId, turnId, turnId === null ? revision : ''],
    queryFn: ({ signal }) =>
      answerOf(
        turnId === null
          ? api.GET('/v1/sessions/{sessionId}/prompt', { params: { path: { sessionId } }, signal })
          : api.GET('/v1/sessions/{sessionId}/turns/{turnId}/prompt/sections', {
              params: { path: { sessionId, turnId } },
              signal,
            }),
      ),
    staleTime: turnId === null ? 0 : 60_000,
  });
}

/** The latest turns, newest first. */
export function turnsQuery(sessionId: string, revision: string) {
  return queryOptions({
    queryKey: ['turns', sessionId, revision],
    queryFn: ({ signal }) =>
      rowsOf(
        api.GET('/v1/sessions/{sessionId}/turns', { params: { path: { sessionId }, query: { limit: 50 } }, signal }),
      ),
    placeholderData: (previous) => previous,
  });
}
