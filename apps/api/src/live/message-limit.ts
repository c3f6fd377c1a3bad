import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { problems } from '../core/problem/problems';

/** Twenty a second in the long run, and all of three seconds at once: a page that opens sends a burst. */
const MESSAGES = { points: 60, duration: 3 };

/** How many messages a connected client may send. */
@Injectable()
export class MessageLimit {
  private readonly limiter = new RateLimiterMemory(MESSAGES);

  /** Counts a message of a connection; rejects with the problem that says when the next one may come. */
  async take(socketId: string): Promise<void> {
    try {
      await this.limiter.consume(socketId);
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? problems.rateLimited(refusal.msBeforeNext) : refusal;
    }
  }
}
