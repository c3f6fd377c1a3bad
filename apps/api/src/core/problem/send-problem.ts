import type { ServerResponse } from 'node:http';
import type { ProblemError } from '@chirality/platform';
import { problemDocument } from './problems';

const RETRY_AFTER_S = 2;

/** Writes the problem as the whole answer. A temporary problem carries Retry-After. */
export function sendProblem(response: ServerResponse, error: ProblemError, requestId: string): void {
  const body = JSON.stringify(problemDocument(error, requestId));
  response.statusCode = error.status;
  response.setHeader('content-type', 'application/problem+json; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  if (error.status === 401) response.setHeader('www-authenticate', challengeOf(response));
  if (error.status === 429)
    response.setHeader('retry-after', String(Math.ceil(Number(error.extra['retryAfterMs'] ?? 1_000) / 1_000)));
  if (error.status === 503) response.setHeader('retry-after', String(RETRY_AFTER_S));
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

/** What says how to sign in, where a part of the server has more to say about it. */
function challengeOf(response: ServerResponse & { locals?: { challenge?: unknown } }): string {
  const challenge = response.locals?.challenge;
  return typeof challenge === 'string' ? challenge : 'Bearer';
}
