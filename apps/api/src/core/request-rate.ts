import type { AttemptCounter } from '@chirality/messaging';
import type { Response } from 'express';
import { problems } from './problem/problems';

/** Ten a second in the long run; a program that polls needs far fewer. */
const LIMIT = { attempts: 600, windowMs: 60_000 };

/** Counts what a program's token asks for, over all nodes, whichever transport it comes by; throws RATE_LIMITED. */
export async function countRequest(counter: AttemptCounter, tokenId: string): Promise<void> {
  const counted = await counter.take('token:requests', LIMIT, tokenId);
  if (!counted.allowed) throw problems.rateLimited(counted.retryAfterMs);
}

/** The same for an HTTP request, whose answer says in the standard headers how many are left. */
export async function countHttpRequest(counter: AttemptCounter, tokenId: string, response: Response): Promise<void> {
  const counted = await counter.take('token:requests', LIMIT, tokenId);
  response.setHeader('ratelimit-limit', String(LIMIT.attempts));
  response.setHeader('ratelimit-remaining', String(counted.remaining));
  response.setHeader('ratelimit-reset', String(Math.ceil(counted.resetMs / 1_000)));
  response.setHeader('ratelimit-policy', `${LIMIT.attempts};w=${LIMIT.windowMs / 1_000}`);
  if (!counted.allowed) throw problems.rateLimited(counted.retryAfterMs);
}
