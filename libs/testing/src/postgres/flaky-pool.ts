import type { Pool, PoolClient } from 'pg';

/**
 * How one statement fails: not at all; before the server sees it; after it took effect, the answer being lost; or with the
 * connection given up while the server still works on it, so that it takes effect some time later.
 */
export type StatementFate = 'ok' | 'lost-before' | 'lost-after' | 'still-running';

/** The pool, whose connections fail as `fate` says of each statement. Failed connections are closed for real. */
export function flakyPool(pool: Pool, fate: (sql: string) => StatementFate): Pool {
  const connect = async () => flakyClient(await pool.connect(), fate);
  return new Proxy(pool, {
    get(target, key) {
      if (key === 'connect') return connect;
      if (key !== 'query') return bound(target, key);
      return async (...args: Parameters<Pool['query']>) => {
        const client = await connect();
        try {
          const result: unknown = await Promise.resolve(client.query(...args));
          client.release();
          return result;
        } catch (error) {
          client.release(error as Error);
          throw error;
        }
      };
    },
  });
}

function flakyClient(client: PoolClient, fate: (sql: string) => StatementFate): PoolClient {
  let lost = false;
  let running: Promise<unknown> = Promise.resolve();
  const query = async (...args: Parameters<PoolClient['query']>): Promise<unknown> => {
    if (lost) throw new Error('Client has encountered a connection error and is not queryable');
    const [statement] = args as unknown as [string | { text: string }];
    const chosen = fate(typeof statement === 'string' ? statement : statement.text);
    if (chosen === 'ok') return client.query(...args);
    lost = true;
    if (chosen !== 'lost-before') {
      running = Promise.resolve(client.query(...args) as unknown).catch(() => undefined);
      if (chosen === 'lost-after') await running;
    }
    throw new Error('Connection terminated unexpectedly');
  };
  const release = (error?: Error | boolean) => void running.then(() => client.release(lost || error));
  return new Proxy(client, {
    get(target, key) {
      if (key === 'query') return query;
      return key === 'release' ? release : bound(target, key);
    },
  });
}

function bound(target: object, key: string | symbol): unknown {
  const member: unknown = Reflect.get(target, key);
  return typeof member === 'function' ? (member.bind(target) as unknown) : member;
}
