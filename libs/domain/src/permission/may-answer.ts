import type { IdentityClass, Role, Visibility } from '@chirality/contracts';

const WORKING_ROLES: readonly (Role | null)[] = ['owner', 'admin', 'member'];

/** A person's place in a session; `role` is null outside its team. */
export type SessionPlace = {
  role: Role | null;
  identityClass: IdentityClass;
  ownsSession: boolean;
  visibility: Visibility;
};

/** A session's owner works in it, and where it is shared for writing, every member but viewers. */
export function mayWorkIn({ role, ownsSession, visibility }: Omit<SessionPlace, 'identityClass'>): boolean {
  return WORKING_ROLES.includes(role) && (ownsSession || visibility === 'project');
}

/** Who may work in a session answers its permission requests, if human. */
export function mayAnswerIn(place: SessionPlace): boolean {
  return place.identityClass === 'human' && mayWorkIn(place);
}
