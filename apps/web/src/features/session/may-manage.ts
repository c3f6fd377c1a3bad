import type { Role, Session } from '@chirality/contracts';

/** Who renames, shares, archives and changes the options of a session: its owner, and of shared ones the team's admins. The server decides for itself. */
export function mayManage(session: Session, myId: string, role: Role | undefined): boolean {
  if (session.status === 'archived' || role === undefined) return false;
  return (
    (session.ownerId === myId && role !== 'viewer') ||
    (session.visibility !== 'private' && (role === 'owner' || role === 'admin'))
  );
}
