import type { ModelKey } from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';

/** One sentence each. */
export const keyPolicy = {
  /** Those who send turns in a team see its key and their own, never a value. */
  read: (who: Principal, teamId: string) => teamPolicy.contribute(who, { id: teamId }),
  /** Owners and admins set and remove the team's key; everyone who sends turns does so with their own, in person. */
  change: (who: Principal, { teamId, scope }: Pick<ModelKey, 'teamId' | 'scope'>) =>
    scope === 'team'
      ? teamPolicy.manage(who, { id: teamId })
      : teamPolicy.contribute(who, { id: teamId }) && who.identityClass === 'human',
};
