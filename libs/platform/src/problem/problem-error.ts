import { PROBLEM_STATUS, type ProblemCode } from '@chirality/contracts';

/**
 * An expected refusal with a stable code. `detail` is one sentence for a person: what happened and what to do.
 * `extra` is shown to the caller beside the standard members, so it never holds a secret or another team's data.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly extra: Record<string, unknown> = {},
  ) {
    super(`${code}: ${detail}`);
  }

  /** The HTTP status that belongs to the code. */
  get status(): number {
    return PROBLEM_STATUS[this.code];
  }
}
