import type { IdentityClass, Originator, ProjectRole, ProjectVisibility, Role, User } from '@chirality/contracts';
import { projectRoleOf } from '@chirality/domain';

/** Who is asking, as of now: read from the database for each request, so that a change of role holds at once. */
export interface Principal {
  user: User;
  identityClass: IdentityClass;
  /** The window or program that asks, as it named itself. */
  clientId: string;
  /** The sign-in that the token belongs to. */
  familyId: string;
  expiresAtMs: number;
  /** Role by team id; a team that is not here does not exist for this person. */
  roles: ReadonlyMap<string, Role>;
  /** Role by project id, of the projects that name this person. */
  projectRoles: ReadonlyMap<string, ProjectRole>;
}

export function roleIn(who: Principal, teamId: string): Role | null {
  return who.roles.get(teamId) ?? null;
}

/** A project as far as it decides who has it. */
export type ProjectRef = { id: string; teamId: string; visibility: ProjectVisibility };

/**
 * What the person may do in the project; null where it does not exist for them. The one place where that is decided.
 */
export function roleInProject(who: Principal, { id, teamId, visibility }: ProjectRef): ProjectRole | null {
  return projectRoleOf({ team: roleIn(who, teamId), visibility, member: who.projectRoles.get(id) ?? null });
}

export function teamIdsOf(who: Principal): string[] {
  return [...who.roles.keys()];
}

/** Who began it, as events say. */
export function originatorOf(who: Principal): Originator {
  return { userId: who.user.id, clientId: who.clientId, identityClass: who.identityClass };
}
