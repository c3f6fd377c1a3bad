import type { TurnError } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { SetupFailedError } from '../project/setup-failed-error';
import type { Ending } from './turn-ending';

/** Why a turn cannot run or continue, in words for people. */
export class TurnFailure extends Error {
  override readonly name = 'TurnFailure';

  constructor(readonly error: TurnError) {
    super(`${error.code}: ${error.detail}`);
  }
}

/** No space, or no more of it for this user. */
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT']);

/**
 * What an exception amounts to: a known problem keeps its code, anything else is ours and its text stays in the log.
 */
export function endingOfError(error: unknown): Ending {
  if (error instanceof TurnFailure)
    return { cause: error.error.code === 'FORBIDDEN' ? 'interrupt' : 'fail', error: error.error };
  if (error instanceof ProblemError) return failedWith(error.code, error.detail);
  if (error instanceof SetupFailedError) return failedWith('SETUP_FAILED', error.message);
  if (DISK_CODES.has(String((error as NodeJS.ErrnoException | null)?.code)))
    return failedWith(
      'DISK_FULL',
      'The worker’s disk is full, so the turn could not be run. Remove large files from the workspace, or ask an operator to make room.',
    );
  return failedWith(
    'HARNESS_FAILURE',
    'The turn could not be run because of a fault in the service. Try again; the worker’s log has the cause.',
  );
}

/** The ending of a turn that failed, with what people read of it. */
export function failedWith(code: TurnError['code'], detail: string): Ending {
  return { cause: 'fail', error: { code, detail } };
}
