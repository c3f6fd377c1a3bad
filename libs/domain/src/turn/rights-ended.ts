import type { TurnError } from '@chirality/contracts';

/**
 * Why a turn ends whose author may no longer send turns in its session: out of the team, a viewer, or no longer let
 * in.
 */
export const RIGHTS_ENDED: TurnError = {
  code: 'FORBIDDEN',
  detail:
    'The author may no longer work in this session, so nothing more is done in their name. What was done so far is kept; a member with access can continue by sending a message.',
};
