import { ProblemError } from '@chirality/platform';
import { problems } from '../core/problem/problems';
import { roleIn, type Principal } from './principal';

/** The team that is meant: the one named, which the person must be in, or the only one they have. */
export function chosenTeam(who: Principal, teamId: string | undefined): { id: string } {
  if (teamId !== undefined) {
    if (roleIn(who, teamId) === null) throw problems.notFound('team');
    return { id: teamId };
  }
  const [only, ...others] = who.roles.keys();
  if (only === undefined) throw problems.notFound('team');
  if (others.length > 0) throw new ProblemError('VALIDATION_FAILED', 'You are in several teams. Name one with teamId.');
  return { id: only };
}
