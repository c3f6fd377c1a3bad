import type { ServerResponse } from 'node:http';
import type { ProblemError } from '@chirality/platform';
import { problemDocument } from './problems';

const RETRY_AFTER_S = 2;

/** A problem as the whole answer, for what has no response to write it with too. A temporary one has Retry-After. */
export function answerOfProblem(
  error: ProblemError,
  requestId: string,
  challenge = 'Bearer',
): { status: number; headers: Record<string, string>; body: string } {
  const body = JSON.stringify(problemDocument(error, requestId));
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
  };
  if (error.status === 401) headers['www-authenticate'] = challenge;
  if (error.status === 429)
    headers['retry-after'] = String(Math.ceil(Number(error.extra['retryAfterMs'] ?? 1_000) / 1_000));
  if (error.status === 503) headers['retry-after'] = String(RETRY_AFTER_S);
  return { status: error.status, headers, body };
}

/** Writes the problem as the whole answer. */
export function sendProblem(response: ServerResponse, error: ProblemError, requestId: string): void {
  const { status, headers, body } = answerOfProblem(error, requestId, challengeOf(response));
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
}

/** What says how to sign in, where a part of the server has more to say about it. */
function challengeOf(response: ServerResponse & { locals?: { challenge?: unknown } }): string {
  const challenge = response.locals?.challenge;
  return typeof challenge === 'string' ? challenge : 'Bearer';
}
