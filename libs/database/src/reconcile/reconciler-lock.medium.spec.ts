import { createDatabase, type Database } from '../connection/database';
import { startTestDatabase, waitFor, type TestDatabase } from '@chirality/testing';
import { withReconcilerLock } from './reconciler-lock';

describe('the lock of reconcilers', () => {
  let database: TestDatabase;
  let other: Database;

  beforeAll(async () => {
    database = await startTestDatabase();
    other = createDatabase({ url: database.url, poolSize: 1 });
  }, 60_000);
  afterAll(async () => {
    await other.close();
    await database.close();
  });

  const take = (pool = database.pool) => withReconcilerLock(pool, async () => undefined);
  const idleTimeout = async () =>
    (await other.pool.query<{ idle_session_timeout: string }>('SHOW idle_session_timeout')).rows[0];

  it('is one process’s at a time, and free again when it is done or fails', async () => {
    await withReconcilerLock(database.pool, async () => expect(await take(other.pool)).toBe(false));
    await expect(withReconcilerLock(database.pool, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await take(other.pool)).toBe(true);
  });

  it('is not kept by a holder that says nothing more, as one that is stopped', async () => {
    let wake = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (wake = resolve));
    const silent: { round?: Promise<boolean> } = {};
    await new Promise<void>((begun) => {
      silent.round = withReconcilerLock(other.pool, () => (begun(), stopped), 300);
    });
    expect(await take()).toBe(false);
    await waitFor(() => take(), { what: 'another takes the lock' });
    wake();
    expect(await silent.round).toBe(true);
    expect(await take(other.pool)).toBe(true);
  });

  it('leaves a connection of the pool that may be silent', async () => {
    const usual = await idleTimeout();
    await withReconcilerLock(database.pool, async () => expect(await take(other.pool)).toBe(false));
    expect(await idleTimeout()).toEqual(usual);
    await withReconcilerLock(other.pool, async (tx) => {
      const { rows } = await tx.query<{ idle_session_timeout: string }>('SHOW idle_session_timeout');
      expect(rows[0]).toEqual({ idle_session_timeout: '10s' });
    });
    expect(await idleTimeout()).toEqual(usual);
  });
});
