import type { Redis } from 'ioredis';

const KEY_PREFIX = 'chirality:metrics:';
/** A process that has not spoken for this long is no longer counted. */
const KEPT_SECONDS = 20;

/**
 * Where workers, which no scraper can reach, hang out their figures for the api to add up. Losing it loses figures
 * until each worker speaks again, and nothing else.
 */
export class MetricsBoard {
  constructor(private readonly redis: Redis) {}

  /** `figures` is what a registry's `getMetricsAsJSON` answers. Never throws and never waits. */
  publish(processId: string, figures: unknown): void {
    if (this.redis.status !== 'ready') return;
    void this.redis
      .set(`${KEY_PREFIX}${processId}`, JSON.stringify(figures), 'EX', KEPT_SECONDS)
      .catch(() => undefined);
  }

  /** The latest figures of every process that spoke lately; none while Redis is away. */
  async collect(): Promise<unknown[]> {
    if (this.redis.status !== 'ready') return [];
    try {
      const keys: string[] = [];
      let cursor = '0';
      do {
        const [next, found] = await this.redis.scan(cursor, 'MATCH', `${KEY_PREFIX}*`, 'COUNT', 200);
        cursor = next;
        keys.push(...found);
      } while (cursor !== '0');
      const values = keys.length === 0 ? [] : await this.redis.mget(keys);
      return values.flatMap((value) => (value === null ? [] : [JSON.parse(value) as unknown]));
    } catch {
      return [];
    }
  }
}
