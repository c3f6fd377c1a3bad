import type { ApiTokenRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';

const MAX_TOKENS = 500;

/** Throws CONFLICT where the person has as many tokens in force as one may have. */
export async function requireFewTokens(tokens: ApiTokenRepository, userId: string): Promise<void> {
  if ((await tokens.countInForce(userId)) >= MAX_TOKENS)
    throw new ProblemError('CONFLICT', `You have ${MAX_TOKENS} tokens in force. Revoke some that are not used.`);
}
