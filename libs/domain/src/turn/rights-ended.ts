import type { TurnError } from '@chirality/contracts';

/** Why a turn ends whose author may not send turns in its session any more: out of the team, a viewer, or no longer let in. */
export const RIGHTS_ENDED: TurnError = {
  code: 'FORBIDDEN',
  detail:
    'Whoever sent this may not work in this session any more, so nothing more is done in their name. What was done so far is kept; somebody who may can go on with a message of their own.',
};
