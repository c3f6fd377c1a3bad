import { HttpException } from '@nestjs/common';
import { ProblemError } from '@chirality/platform';
import { isDatabaseUnavailable } from '@chirality/database';
import { problems } from './problems';

type Translated = { problem: ProblemError; expected: boolean };

/** The one place where whatever was thrown becomes a problem. What is not known here is INTERNAL and not `expected`. */
export function problemOf(error: unknown): Translated {
  if (error instanceof ProblemError) return { problem: error, expected: true };
  if (isDatabaseUnavailable(error)) return { problem: problems.databaseUnavailable(), expected: true };
  if (error instanceof HttpException) return { problem: ofHttpException(error), expected: error.getStatus() < 500 };
  return { problem: internal(), expected: false };
}

function ofHttpException(error: HttpException): ProblemError {
  switch (error.getStatus()) {
    case 401:
      return problems.unauthenticated();
    case 403:
      return problems.forbidden('do this');
    case 404:
      return noSuchRoute();
    case 413:
      return new ProblemError('MESSAGE_TOO_LARGE', 'The request is larger than this server accepts.');
    case 429:
      return problems.rateLimited(1_000);
    default:
      return error.getStatus() < 500
        ? new ProblemError('VALIDATION_FAILED', 'The request cannot be read. Check its form.')
        : internal();
  }
}

export function noSuchRoute(): ProblemError {
  return new ProblemError('NOT_FOUND', 'There is no such route. /v1/openapi.json lists the ones there are.');
}

function internal(): ProblemError {
  return new ProblemError(
    'INTERNAL',
    'Something went wrong on the server. Try again; if it persists, give the operator this request id.',
  );
}
