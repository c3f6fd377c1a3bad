import { ProblemError } from '@chirality/platform';
import { ScriptFailure } from '../script/script-failure';
import { SCRIPT_EXIT } from '../script/script-prelude';

const TRIES = 3;

/** A turn may remove a file between the moment that git lists it and the moment that git reads it: what was begun is begun again. */
export async function whileFilesMove<T>(read: () => Promise<T>, triesLeft = TRIES): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ScriptFailure) || error.code !== SCRIPT_EXIT.moving) throw error;
    if (triesLeft > 1) return whileFilesMove(read, triesLeft - 1);
    throw new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      'The files keep changing while they are compared. Try again in a moment.',
    );
  }
}
