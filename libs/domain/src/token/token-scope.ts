import type { Command, IdentityClass, TokenClaims } from '@chirality/contracts';

type Narrowing = Pick<TokenClaims, 'projects' | 'sessions' | 'commands'>;

/** All that decides what a token may do, and how long. */
export type TokenScope = Narrowing & { identityClass: IdentityClass; expiresAtMs: number; mayMint: boolean };

/** What a new token shall be; what is absent is taken from the token that makes it. */
type WantedScope = Narrowing & { identityClass: IdentityClass; expiresAtMs: number; mayMint: boolean };

/** What the commands of a token cover. Permission requests of agents are answered by people: no list changes that. */
export function mayCommand({ commands }: Narrowing, command: Command): boolean {
  return commands === undefined || commands.includes(command);
}

/** Whether the project as such is within reach. A token for named sessions reaches none, unless it names that too. */
export function reachesProject({ projects, sessions }: Narrowing, projectId: string): boolean {
  return projects === undefined ? sessions === undefined : projects.includes(projectId);
}

/** Whether the session is within reach: named, where sessions are named, and of a named project, where those are. */
export function reachesSession(
  { projects, sessions }: Narrowing,
  { id, projectId }: { id: string; projectId: string },
): boolean {
  return (projects === undefined || projects.includes(projectId)) && (sessions === undefined || sessions.includes(id));
}

/** Whether it reaches all of its team. */
export function reachesTeam({ projects, sessions }: Narrowing): boolean {
  return projects === undefined && sessions === undefined;
}

/**
 * The scope of a token that another one makes, or the claim in which it would be wider: a token never gives what it
 * does not have.
 */
export function narrowedScope(parent: TokenScope, wanted: WantedScope): { scope: TokenScope } | { wider: string } {
  if (!parent.mayMint) return { wider: 'mayMint' };
  if (parent.identityClass === 'agent' && wanted.identityClass !== 'agent') return { wider: 'identityClass' };
  if (wanted.expiresAtMs > parent.expiresAtMs) return { wider: 'expiresAt' };
  // Without a list of projects, a token for named sessions reaches none as such.
  const given = { ...parent, projects: parent.projects ?? (parent.sessions === undefined ? undefined : []) };
  for (const claim of ['projects', 'sessions', 'commands'] as const)
    if (!isWithin(wanted[claim], given[claim])) return { wider: claim };
  const { identityClass, expiresAtMs, mayMint } = wanted;
  return { scope: { ...joined(parent, wanted), identityClass, expiresAtMs, mayMint } };
}

function isWithin(wanted: readonly string[] | undefined, given: readonly string[] | undefined): boolean {
  return wanted === undefined || given === undefined || wanted.every((one) => given.includes(one));
}

function joined(parent: Narrowing, wanted: Narrowing): Narrowing {
  const projects = wanted.projects ?? parent.projects;
  const sessions = wanted.sessions ?? parent.sessions;
  const commands = wanted.commands ?? parent.commands;
  return { ...(projects && { projects }), ...(sessions && { sessions }), ...(commands && { commands }) };
}
