import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export interface AttemptLimit {
  /** Attempts of one key within the window. */
  attempts: number;
  windowMs: number;
}

type AttemptOutcome =
  /** `remaining`: attempts that are left until `resetMs` from now. */
  { remaining: number; resetMs: number } & (
    { allowed: true; giveBack(): Promise<void> } | { allowed: false; retryAfterMs: number; isFirstRefusal: boolean }
  );

/**
 * Counts attempts at something that guesses, over all processes. While Redis is away each process counts for itself,
 * so that losing Redis neither locks people out nor opens the door.
 */
export class AttemptCounter {
  private readonly limiters = new Map<string, RateLimiterRedis>();

  constructor(private readonly redis: Redis) {}

  /**
   * Counts one attempt before it is made, so that parallel ones cannot slip by; `giveBack` undoes it after a success.
   */
  async take(name: string, limit: AttemptLimit, key: string): Promise<AttemptOutcome> {
    const limiter = this.limiterOf(name, limit);
    const hashed = createHash('sha256').update(key).digest('base64url');
    let counted: RateLimiterRes;
    try {
      counted = await limiter.consume(hashed);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes)
        return {
          allowed: false,
          remaining: 0,
          resetMs: refusal.msBeforeNext,
          retryAfterMs: refusal.msBeforeNext,
          isFirstRefusal: refusal.consumedPoints === limit.attempts + 1,
        };
      throw refusal;
    }
    return {
      allowed: true,
      remaining: Math.max(0, counted.remainingPoints),
      resetMs: Math.max(0, counted.msBeforeNext),
      giveBack: () =>
        limiter.reward(hashed).then(
          () => undefined,
          () => undefined,
        ),
    };
  }

  private limiterOf(name: string, { attempts, windowMs }: AttemptLimit): RateLimiterRedis {
    const existing = this.limiters.get(name);
    if (existing) return existing;
    const options = { keyPrefix: `chirality:attempts:${name}`, points: attempts, duration: windowMs / 1_000 };
    const limiter = new RateLimiterRedis({
      ...options,
      storeClient: this.redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(options),
    });
    this.limiters.set(name, limiter);
    return limiter;
  }
}
