import type { Role } from '@chirality/contracts';
import { roleIn, type Principal } from './principal';

type TeamRef = { id: string };

const is = (who: Principal, team: TeamRef, ...roles: Role[]): boolean => roles.includes(roleIn(who, team.id) as Role);

/**
 * An agent works in a person's name, but nothing that it can reach may widen what it may do, see what was spent or who
 * is who.
 */
const inPerson = (who: Principal, team: TeamRef, ...roles: Role[]): boolean =>
  who.identityClass === 'human' && is(who, team, ...roles);

/** One sentence each, for routes, sockets and exports alike. */
export const teamPolicy = {
  /** Its members see a team, and no one else knows of it. */
  read: (who: Principal, team: TeamRef) => roleIn(who, team.id) !== null,
  /** Its members, in person, see who else is in it. */
  listMembers: (who: Principal, team: TeamRef) => inPerson(who, team, 'owner', 'admin', 'member', 'viewer'),
  /** Owners and admins, in person, rename it, invite, change roles and remove people. */
  manage: (who: Principal, team: TeamRef) => inPerson(who, team, 'owner', 'admin'),
  /** Only owners make owners, and only owners touch them. */
  manageOwners: (who: Principal, team: TeamRef) => inPerson(who, team, 'owner'),
  /** Everyone but viewers creates projects and sessions. */
  contribute: (who: Principal, team: TeamRef) => is(who, team, 'owner', 'admin', 'member'),
  /** Owners and admins see what everyone spent. */
  readCost: (who: Principal, team: TeamRef) => inPerson(who, team, 'owner', 'admin'),
  /** Everyone but viewers sees what they themselves spent. */
  readOwnCost: (who: Principal, team: TeamRef) => inPerson(who, team, 'owner', 'admin', 'member'),
  /** Owners and admins read the audit log. */
  readAudit: (who: Principal, team: TeamRef) => inPerson(who, team, 'owner', 'admin'),
};
