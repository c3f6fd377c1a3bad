import type {
  Command,
  IdentityClass,
  Originator,
  ProjectRole,
  ProjectVisibility,
  Role,
  TokenClaims,
  User,
} from '@chirality/contracts';
import { mayCommand, projectRoleOf, reachesProject, reachesSession } from '@chirality/domain';
import { problems } from '../core/problem/problems';

/** The token that a program asks with, as far as it narrows what the person may do. */
export type TokenGrant = { id: string; name: string; teamId: string; claims: TokenClaims; mayMint: boolean };

/** Who is asking, as of now: read from the database for each request, so that a change of role holds at once. */
export interface Principal {
  user: User;
  identityClass: IdentityClass;
  /** The window or program that asks, as it named itself. */
  clientId: string;
  /** Absent for a signed-in browser. */
  token?: TokenGrant | undefined;
  /** The sign-in that the access token belongs to; the id of a token of a program. */
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

/** Whether the token, if it is one, reaches the project as such: a session of it may be within reach all the same. */
export function reaches(who: Principal, projectId: string): boolean {
  return who.token === undefined || reachesProject(who.token.claims, projectId);
}

/** Whether the token, if it is one, reaches the session. */
export function reachesIn(who: Principal, session: { id: string; projectId: string }): boolean {
  return who.token === undefined || reachesSession(who.token.claims, session);
}

/** What a token narrows lists to; undefined for a signed-in browser. */
export function listWithin({ token }: Principal) {
  if (token === undefined) return undefined;
  const { projects, sessions } = token.claims;
  return { teamId: token.teamId, projects, sessions };
}

/** Throws TOKEN_SCOPE for a token whose claims leave the command out. */
export function requireCommand(who: Principal, command: Command): void {
  if (who.token !== undefined && !mayCommand(who.token.claims, command))
    throw problems.tokenScope(`This token does not cover ${command}. Create one whose commands do.`);
}

/**
 * A user who received a password has to replace it before anything else: until then it may be known to people who saw
 * it printed. The dashboard asks for it; this is what makes it so for every other client, on HTTP and on sockets.
 */
export function refuseUntilPasswordIsOwn(who: Principal): void {
  if (who.user.mustChangePassword) throw problems.passwordChangeRequired();
}
