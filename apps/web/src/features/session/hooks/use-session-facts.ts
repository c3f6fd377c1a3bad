import type { Session, SessionStatus } from '@chirality/contracts';
import { activeTurnOf, type TranscriptState } from '@chirality/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionChanged } from '../session.api';

/** The session's title and status as the log has them, which is newer than the row that was fetched. */
export function useSessionFacts(session: Session, state: TranscriptState): { title: string; status: SessionStatus } {
  const queries = useQueryClient();
  const turn = activeTurnOf(state);
  const status: SessionStatus =
    session.status === 'archived' || state.changes.status === 'archived'
      ? 'archived'
      : turn === null
        ? 'idle'
        : turn.openPermissions.length > 0
          ? 'waiting'
          : 'running';
  const title = typeof state.changes.title === 'string' ? state.changes.title : session.title;

  useEffect(() => {
    if (Object.keys(state.changes).length === 0) return;
    void sessionChanged(queries, session.id);
  }, [queries, session.id, state.changes]);
  return { title, status };
}
