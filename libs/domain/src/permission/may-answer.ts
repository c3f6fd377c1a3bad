import type { IdentityClass, ProjectRole, Visibility } from '@chirality/contracts';

const WORKING_ROLES: readonly (ProjectRole | null)[] = ['manage', 'write'];

/** A person's place in a session; `role` is theirs in its project, null for those who do not have it. */
export type SessionPlace = {
  role: ProjectRole | null;
  identityClass: IdentityClass;
  ownsSession: boolean;
  visibility: Visibility;
};

/** A session's owner works in it, and where it is shared for writing, everyone who may write in its project. */
export function mayWorkIn({ role, ownsSession, visibility }: Omit<SessionPlace, 'identityClass'>): boolean {
  return WORKING_ROLES.includes(role) && (ownsSession || visibility === 'project');
}

/** Who may work in a session answers its permission requests, if human. */
export function mayAnswerIn(place: SessionPlace): boolean {
  return place.identityClass === 'human' && mayWorkIn(place);
}
