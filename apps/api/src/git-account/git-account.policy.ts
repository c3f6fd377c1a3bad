import type { GitAccount } from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';

/** One sentence each. A user's own account is theirs alone: the service never finds another's. */
export const gitAccountPolicy = {
  /** Those who make projects in a team see its accounts and the host keys that it knows, never a secret. */
  read: (who: Principal, teamId: string) => teamPolicy.contribute(who, { id: teamId }),
  /** They also act with the team's accounts, and so may test them. */
  use: (who: Principal, { teamId }: Pick<GitAccount, 'teamId'>) =>
    teamId === null || teamPolicy.contribute(who, { id: teamId }),
  /** Owners and admins add and remove the team's; everyone does so with their own, in person. */
  change: (who: Principal, { teamId }: Pick<GitAccount, 'teamId'>) =>
    teamId === null ? who.identityClass === 'human' : teamPolicy.manage(who, { id: teamId }),
  /** Owners and admins let a host prove itself by another key. */
  forgetHostKey: (who: Principal, teamId: string) => teamPolicy.manage(who, { id: teamId }),
};
