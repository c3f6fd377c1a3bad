import { maskText } from '@chirality/domain';
import type { Ending } from './turn-ending';
import { failedWith } from './turn-failure';
import { exceededLimit } from '../sandbox/sandbox.types';
import type { RunEnd } from './run-end';

/**
 * What to say of a process that never announced itself: the sandbox did not come up, another tree still holds the
 * session, or the program could not start. Null when it did start, or when we ended it.
 */
export function startFailure(end: RunEnd): Ending | null {
  // Stopped by us while it was still coming up: not its failure.
  if (end.stopReason !== null) return null;
  if (end.exit?.lockBusy) {
    return failedWith(
      'WORKSPACE_UNAVAILABLE',
      'An earlier process of this session has not ended yet. Try again in a few seconds.',
    );
  }
  if (end.exit?.startFailure) {
    return failedWith(
      'SANDBOX_UNAVAILABLE',
      `The sandbox could not be started: ${maskText(end.exit?.startFailure)} An operator finds out more with npm run doctor.`,
    );
  }
  if (end.sawInit || end.result !== null || end.lineTooLong || (end.exit && exceededLimit(end.exit))) return null;
  const how = end.exit?.signal ? `was ended by ${end.exit.signal}` : `ended with exit code ${end.exit?.code}`;
  const said = end.stderr === '' ? '' : ` It said: ${maskText(end.stderr).slice(-1_000)}`;
  return failedWith('HARNESS_FAILURE', `Claude Code ${how} before it began.${said}`);
}
