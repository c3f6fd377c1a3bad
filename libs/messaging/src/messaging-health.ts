import type { Redis } from 'ioredis';

export interface MessagingHealth {
  status: 'ok' | 'degraded' | 'unavailable';
  detail?: string;
}

/** Asks Redis itself: does it answer, does it take what we write, and would it keep our keys? Never throws; at most two seconds. */
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
    const [used, most] = [numberIn(memory, 'used_memory'), numberIn(memory, 'maxmemory')];
    if (most > 0 && used >= most) {
      return {
        status: 'degraded',
        detail:
          'Redis is full and takes no wake-ups, so turns wait to be found by polling. Give it more memory (maxmemory).',
      };
    }
    return { status: 'ok' };
  } catch (error) {
    return { status: 'unavailable', detail: `Redis does not answer: ${(error as Error).message}` };
  }
}

function numberIn(info: string, field: string): number {
  return Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}
