import type { Role, Session } from '@chirality/contracts';

type Managed = Pick<Session, 'status' | 'ownerId' | 'visibility'>;

function isManager(session: Managed, myId: string, role: Role | undefined): boolean {
  if (role === undefined) return false;
  return (
    (session.ownerId === myId && role !== 'viewer') ||
    (session.visibility !== 'private' && (role === 'owner' || role === 'admin'))
  );
}

/**
 * Who renames, shares, archives and changes the options of a session: its owner, and of shared ones the team's admins.
 * The server decides for itself.
 */
export function mayManage(session: Managed, myId: string, role: Role | undefined): boolean {
  return session.status !== 'archived' && isManager(session, myId, role);
}

/** The same people restore it. */
export function mayRestore(session: Managed, myId: string, role: Role | undefined): boolean {
  return session.status === 'archived' && isManager(session, myId, role);
}
