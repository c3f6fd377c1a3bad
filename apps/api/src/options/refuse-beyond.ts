import type { OptionLimits, Options } from '@chirality/contracts';
import { limitBreaches, limitSentence, type LimitsInForce } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';

/**
 * Throws VALIDATION_FAILED, at each field of the request's `member` that asks for more than its limit. Options that
 * were set before a limit are lowered where they are resolved.
 */
export function refuseBeyond(
  asked: Options | OptionLimits,
  limits: LimitsInForce,
  member: 'options' | 'limits' = 'options',
): void {
  const errors = limitBreaches(asked, limits).map(({ option, limit }) => ({
    path: `${member}.${option}`,
    message: limitSentence(option, limit),
    limit,
  }));
  const [first] = errors;
  if (!first) return;
  throw new ProblemError(
    'VALIDATION_FAILED',
    `${first.path} is beyond its limit. ${first.message} Choose a lower value, or have an admin of the team raise the limit.`,
    { errors },
  );
}
