import { Redis, type RedisOptions } from 'ioredis';

/**
 * `hint`: fails at once while Redis is away, because Postgres is the truth and a hint is not worth a wait.
 * `patient`: waits for Redis for ever, as BullMQ's consumers must.
 */
type RedisRole = 'hint' | 'patient';

const ROLE_OPTIONS = {
  // ChannelSubscriber subscribes again: ioredis' own way rejects a promise that cannot be caught.
  hint: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000, autoResubscribe: false },
  patient: { maxRetriesPerRequest: null },
} satisfies Record<RedisRole, RedisOptions>;

/**
 * A connection that reconnects for ever: at once, then after 50 ms, doubling to one second. Errors are for `onError`.
 */
export function connectRedis(url: string, role: RedisRole, onError: (error: Error) => void): Redis {
  const options = {
    ...ROLE_OPTIONS[role],
    connectTimeout: 5_000,
    keepAlive: 10_000,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt - 1, 10), 1_000),
  };
  const path = unixSocketPath(url);
  const redis = path === null ? new Redis(url, options) : new Redis({ ...options, path });
  redis.on('error', onError);
  return redis;
}

/** The socket of `unix:/path` or `unix:///path`, or null for a url that ioredis understands. */
function unixSocketPath(url: string): string | null {
  const match = /^unix:(?:\/\/)?(\/.+)$/.exec(url);
  return match?.[1] ?? null;
}
