import type { SourceFailure } from '@chirality/contracts';

/** A fetch has failed, for the reason that the project then shows. */
export class FetchFailedError extends Error {
  constructor(readonly failure: SourceFailure) {
    super(`${failure.code}: ${failure.detail}`);
  }
}
