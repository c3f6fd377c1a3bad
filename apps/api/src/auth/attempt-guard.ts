import { Injectable } from '@nestjs/common';
import { AttemptCounter } from '@chirality/messaging';
import { problems } from '../core/problem/problems';
import { ATTEMPT_LIMITS, type AttemptKind } from './attempt-limits';

export type Attempts = Partial<Record<AttemptKind, string>>;

/** Limits how often something that guesses may be tried. */
@Injectable()
export class AttemptGuard {
  constructor(private readonly counter: AttemptCounter) {}

  /**
   * Counts one attempt in each; throws RATE_LIMITED when one has too many. The function it answers takes the attempt
   * back. `onFirstRefusal`: before the first one in a window.
   */
  async take(attempts: Attempts, onFirstRefusal?: () => Promise<void>): Promise<() => Promise<void>> {
    const counted = await Promise.all(
      Object.entries(attempts).map(([kind, key]) => this.counter.take(kind, ATTEMPT_LIMITS[kind as AttemptKind], key)),
    );
    const refused = counted.filter((one) => !one.allowed);
    if (refused.some(({ isFirstRefusal }) => isFirstRefusal)) await onFirstRefusal?.();
    if (refused.length > 0) throw problems.rateLimited(Math.max(...refused.map(({ retryAfterMs }) => retryAfterMs)));
    return async () => {
      await Promise.all(counted.map(async (one) => one.allowed && one.giveBack()));
    };
  }
}
