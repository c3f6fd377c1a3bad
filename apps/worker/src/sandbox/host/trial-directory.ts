import { createHash } from 'node:crypto';
import { join } from 'node:path';

/**
 * A directory that is kept from one trial of the sandbox to the next and over restarts: creating one again is what a
 * full disk refuses. Short, for a socket in it; private to this worker, though others may use `runDir` too.
 */
export function trialDirectory(runDir: string, filesDir: string, trial: string): string {
  return join(runDir, `${trial}-${createHash('sha256').update(filesDir).digest('hex').slice(0, 8)}`);
}
