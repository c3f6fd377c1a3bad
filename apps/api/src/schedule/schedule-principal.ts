import { TOKEN_CLAIMS_VERSION } from '@chirality/contracts';
import type { IdentityRepository, StoredSchedule } from '@chirality/database';
import { problems } from '../core/problem/problems';
import { roleIn, type Principal } from '../access/principal';

/**
 * Who runs a schedule, as of now: its owner, with the rights of this moment, in this project alone, and as an agent. No
 * one sits in front of it, so it approves nothing. Throws where the owner has left, or no one answers for it.
 */
export async function principalOfSchedule(
  identities: IdentityRepository,
  { id, name, teamId, projectId, owner, isSuspended }: StoredSchedule,
): Promise<Principal> {
  const identity = await identities.find(owner.userId, id);
  const role = identity?.roles.get(teamId);
  if (!identity || role === undefined || isSuspended)
    throw problems.forbidden('run schedules: its owner is no longer in the team', null);
  const who: Principal = {
    user: identity.user,
    identityClass: 'agent',
    clientId: `schedule:${id}`,
    token: {
      id,
      name,
      teamId,
      claims: { ver: TOKEN_CLAIMS_VERSION, projects: [projectId], criticalClaims: [] },
      mayMint: false,
    },
    familyId: id,
    expiresAtMs: Infinity,
    roles: new Map([[teamId, role]]),
    projectRoles: identity.projectRoles,
  };
  if (roleIn(who, teamId) === 'viewer') throw problems.forbidden('send messages', null);
  return who;
}
