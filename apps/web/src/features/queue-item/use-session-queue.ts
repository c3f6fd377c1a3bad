import type { SessionQueue } from '@chirality/contracts';
import type { TranscriptState } from '@chirality/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQueueQuery } from './queue-item.api';

/** What waits in the session: asked for again when an event says that it changed, or one of them became a turn. */
export function useSessionQueue(
  sessionId: string,
  { queueEventId, activeTurnId }: Pick<TranscriptState, 'queueEventId' | 'activeTurnId'>,
): SessionQueue | null {
  const queries = useQueryClient();
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: sessionQueueQuery(sessionId).queryKey });
  }, [queries, sessionId, queueEventId, activeTurnId]);
  return useQuery(sessionQueueQuery(sessionId)).data ?? null;
}
