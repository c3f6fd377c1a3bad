import type { IdentityClass, Originator, Role, User } from '@chirality/contracts';

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
}

export function roleIn(who: Principal, teamId: string): Role | null {
  return who.roles.get(teamId) ?? null;
}

export function teamIdsOf(who: Principal): string[] {
  return [...who.roles.keys()];
}

/** Who began it, as events say. */
export function originatorOf(who: Principal): Originator {
  return { userId: who.user.id, clientId: who.clientId, identityClass: who.identityClass };
}
