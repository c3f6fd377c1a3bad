import type { AttemptCounter, AttemptLimit } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import type { Request } from 'express';
import { peerKey } from '../address/peer-of';
import { problems } from '../problem/problems';
import { limitedBody } from './limited-body';

/**
 * How requests of one kind are let in that need no sign-in, because each is signed with the secret of what it is for.
 */
export type SignedRequestRules = {
  /** Of the counters. */
  name: string;
  /** What such a request is, for people. */
  noun: string;
  limitBytes: number;
  tooLarge: string;
  /** To what there is not, from one address. */
  unknown: AttemptLimit;
  /** From one address, not verified or being so: a person who guesses uses up nothing of what the secret belongs to. */
  unverified: AttemptLimit;
  /** With one secret, verified. */
  verified: AttemptLimit;
};

/** Counts a request to what there is not. Throws RATE_LIMITED beyond the limit. */
export async function countUnknown(counter: AttemptCounter, rules: SignedRequestRules, request: Request) {
  await take(counter, `${rules.name}:unknown`, rules.unknown, peerKey(request.ip));
}

/**
 * Reads the body and has it verified, which throws where the signature is not right. Only then does the request count
 * for `id`, whose secret it is; before, it counts for its address alone. Throws RATE_LIMITED and MESSAGE_TOO_LARGE too.
 */
export async function readSigned<T>(
  counter: AttemptCounter,
  rules: SignedRequestRules,
  { id, request }: { id: string; request: Request },
  verify: (body: Buffer) => T | Promise<T>,
): Promise<{ body: Buffer; verified: T }> {
  const giveBack = await take(counter, `${rules.name}:unverified`, rules.unverified, peerKey(request.ip));
  const body = await bodyOf(request, rules);
  const verified = await verify(body);
  await giveBack();
  await take(counter, `${rules.name}:verified`, rules.verified, id);
  return { body, verified };
}

async function take(counter: AttemptCounter, name: string, limit: AttemptLimit, key: string) {
  const taken = await counter.take(name, limit, key);
  if (!taken.allowed) throw problems.rateLimited(taken.retryAfterMs);
  return taken.giveBack;
}

async function bodyOf(request: Request, { limitBytes, tooLarge, noun }: SignedRequestRules): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const refusal = () => new ProblemError('MESSAGE_TOO_LARGE', tooLarge);
  for await (const chunk of limitedBody(request, { limitBytes, tooLarge: refusal, noun })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
