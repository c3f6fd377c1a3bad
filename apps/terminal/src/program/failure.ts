import { ApiError } from '@chirality/client';
import { oneLine, safe, type SafeText } from '../text/safe-text';
import { EXIT, type ExitCode } from './exit-code';

/** An end that has its sentence and exit code already. */
export class Failure extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
    this.name = 'Failure';
  }
}

/** Ctrl-C, or a signal that means the same. */
export class InterruptedError extends Failure {
  constructor(message = 'Interrupted.') {
    super(EXIT.interrupted, message);
  }
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Failure) return error.exitCode;
  if (!(error instanceof ApiError)) return EXIT.failed;
  if (error.status === 401) return EXIT.notSignedIn;
  // A gateway that answers for a server that does not.
  if (error.code === 'NETWORK' || (error.code === 'UNKNOWN' && error.status >= 500)) return EXIT.unreachable;
  return error.status >= 400 && error.status < 500 ? EXIT.refused : EXIT.failed;
}

/** A sentence for the person, with the stable code of a refusal behind it. */
export function sentenceOf(error: unknown): SafeText {
  if (error instanceof ApiError) {
    const next = error.status === 401 ? safe` Run chirality login, or set CHIRALITY_TOKEN.` : safe``;
    return safe`${oneLine(error.message)}${next} (${oneLine(error.code)})`;
  }
  return oneLine(error instanceof Error ? error.message : String(error));
}
