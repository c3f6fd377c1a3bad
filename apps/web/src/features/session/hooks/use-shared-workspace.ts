import type { Session, SessionWorkspace, WorkspaceUse } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { sessionWorkspaceQuery } from '../session.api';

export type SharedWorkspace = {
  workspace: SessionWorkspace;
  /** Another session's turn, which is in the way of this one's. */
  useByOther: WorkspaceUse | null;
  /** Changes when another session may have changed the files. */
  revision: string;
};

/** The files that the session shares with others; null where it has its own, and until they are known. */
export function useSharedWorkspace(session: Session): SharedWorkspace | null {
  const { data, dataUpdatedAt } = useQuery({
    ...sessionWorkspaceQuery(session.id),
    enabled: session.workspace === 'shared',
  });
  if (session.workspace !== 'shared' || data === undefined) return null;
  const { inUse } = data;
  const useByOther = inUse !== null && inUse.session?.id !== session.id ? inUse : null;
  const latest = data.sessions.reduce((at, { updatedAt }) => (updatedAt > at ? updatedAt : at), '');
  return { workspace: data, useByOther, revision: useByOther === null ? latest : String(dataUpdatedAt) };
}
