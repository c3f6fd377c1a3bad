import type { Redis } from 'ioredis';

export interface MessagingHealth {
  status: 'ok' | 'degraded' | 'unavailable';
  detail?: string;
}

/** Asks Redis itself: does it answer, and would it keep our keys when its memory is full? Never throws; at most two seconds. */
export async function checkMessaging(redis: Redis): Promise<MessagingHealth> {
  try {
    const memory = await redis.info('memory');
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
    if (policy !== undefined && policy !== 'noeviction') {
      return {
        status: 'degraded',
        detail: `Redis evicts keys (maxmemory-policy ${policy}), so wake-ups may vanish. Set maxmemory-policy noeviction.`,
      };
    }
    return { status: 'ok' };
  } catch (error) {
    return { status: 'unavailable', detail: `Redis does not answer: ${(error as Error).message}` };
  }
}
