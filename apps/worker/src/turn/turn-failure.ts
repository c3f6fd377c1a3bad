import type { TurnError } from '@chirality/contracts';
import { maskText } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { exceededLimit } from '../sandbox';
import { SetupFailedError } from '../project/setup-failed-error';
import type { RunEnd } from '../process/process-run';
import type { Ending } from './turn-ending';

/**
 * What to say of a process that never announced itself: the sandbox did not come up, another tree still holds the
 * session, or the program could not start. Null when it did start, or when we ended it.
 */
export function startFailure(end: RunEnd): Ending | null {
  // Stopped by us while it was still coming up: no failure of its own.
  if (end.stopReason !== null) return null;
  if (end.exit?.lockBusy) {
    return failed(
      'WORKSPACE_UNAVAILABLE',
      'An earlier process of this session has not ended yet. Try again in a few seconds.',
    );
  }
  if (end.exit?.startFailure) {
    return failed(
      'SANDBOX_UNAVAILABLE',
      `The sandbox could not be started: ${maskText(end.exit?.startFailure)} An operator finds out more with npm run doctor.`,
    );
  }
  if (end.sawInit || end.result !== null || end.lineTooLong || (end.exit && exceededLimit(end.exit))) return null;
  const how = end.exit?.signal ? `was ended by ${end.exit.signal}` : `ended with exit code ${end.exit?.code}`;
  const said = end.stderr === '' ? '' : ` It said: ${maskText(end.stderr).slice(-1_000)}`;
  return failed('HARNESS_FAILURE', `Claude Code ${how} before it began.${said}`);
}

/** Why a turn cannot be run or go on, as it is told to people. */
export class TurnFailure extends Error {
  override readonly name = 'TurnFailure';

  constructor(readonly error: TurnError) {
    super(`${error.code}: ${error.detail}`);
  }
}

/** No space, or no more of it for this user. */
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** What an exception amounts to: a known problem keeps its code, anything else is ours and its text stays in the log. */
export function endingOfError(error: unknown): Ending {
  if (error instanceof TurnFailure)
    return { cause: error.error.code === 'FORBIDDEN' ? 'interrupt' : 'fail', error: error.error };
  if (error instanceof ProblemError) return failed(error.code, error.detail);
  if (error instanceof SetupFailedError) return failed('SETUP_FAILED', error.message);
  if (DISK_CODES.has(String((error as NodeJS.ErrnoException | null)?.code)))
    return failed(
      'DISK_FULL',
      'The worker’s disk is full, so the turn could not be run. Remove large files from the workspace, or ask an operator to make room.',
    );
  return failed(
    'HARNESS_FAILURE',
    'The turn could not be run because of a fault in the service. Try again; the worker’s log has the cause.',
  );
}

function failed(code: TurnError['code'], detail: string): Ending {
  return { cause: 'fail', error: { code, detail } };
}
