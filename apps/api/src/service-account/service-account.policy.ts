import type { ServiceAccount } from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';

type AccountRef = Pick<ServiceAccount, 'teamId' | 'owner'>;

/** One sentence each. */
export const serviceAccountPolicy = {
  /** Owners and admins of the team make them, say who answers for them, and delete them. */
  manage: (who: Principal, { teamId }: Pick<AccountRef, 'teamId'>) => teamPolicy.manage(who, { id: teamId }),
  /**
   * They, and the member who answers for it while they work in the team, name it and give it tokens and a key, in
   * person.
   */
  use: (who: Principal, { teamId, owner }: AccountRef) =>
    teamPolicy.manage(who, { id: teamId }) ||
    (who.identityClass === 'human' && owner?.userId === who.user.id && teamPolicy.contribute(who, { id: teamId })),
};
