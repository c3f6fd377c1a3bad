import { buildWorker, startTestDatabase, waitFor, type TestDatabase } from '@chirality/testing';
import { Client } from 'pg';
import { openLeaseConnection, type LeaseConnection } from './lease-connection';
import { livenessKeyOf, openLivenessLock } from './liveness-lock';
import { SeveredWorkers } from './severed-workers';
import type { WorkerLife } from './lease';
import { renewLease } from './worker.sql';

describe('a worker whose process is gone', () => {
  let database: TestDatabase;
  let now: number;
  let severed: SeveredWorkers;
  const open: LeaseConnection[] = [];

  beforeAll(async () => (database = await startTestDatabase()), 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.pool.query('DELETE FROM worker');
    now = 0;
    severed = new SeveredWorkers(() => now, 0);
  });
  afterEach(() => Promise.all(open.splice(0).map((lease) => lease.close())));

  /** A worker that holds its lock and has renewed its lease since. */
  async function aLivingOne(): Promise<{ worker: WorkerLife; lease: LeaseConnection }> {
    const worker = await buildWorker(database.pool);
    const lease = openLeaseConnection({ url: database.url, worker });
    open.push(lease);
    await waitFor(
      async () => {
        await lease.renew();
        return (await keyOf(worker)) !== null;
      },
      { what: 'the lock is held' },
    );
    return { worker, lease };
  }

  async function keyOf({ id }: WorkerLife): Promise<number | null> {
    const { rows } = await database.pool.query<{ liveness_key: number | null }>(
      'SELECT liveness_key FROM worker WHERE id = $1',
      [id],
    );
    return rows[0]?.liveness_key ?? null;
  }

  async function connectionsThatHold(): Promise<number[]> {
    const { rows } = await database.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Its process ends: the server closes both of its connections, and no renewal follows. */
  async function end({ lease }: { lease: LeaseConnection }): Promise<void> {
    await lease.close();
    await waitFor(async () => (await connectionsThatHold()).length === 0, { what: 'the lock is free' });
  }

  async function looks(...afterMs: number[]): Promise<string[][]> {
    const given: string[][] = [];
    for (const ms of afterMs) {
      now += ms;
      given.push(await severed.giveUp(database.pool));
    }
    return given;
  }

  test('is given up at the second look, long before its lease ends', async () => {
    const one = await aLivingOne();
    await end(one);
    expect(await looks(0, 3_000, 2_900, 100, 2_000)).toEqual([[], [], [], [one.worker.id], []]);
    expect(await renewLease(database.pool, one.worker)).toBe(false);
  });

  test('is not given up for what was seen long ago: between two looks, it may have been there', async () => {
    const one = await aLivingOne();
    await end(one);
    expect(await looks(0, 6_000, 3_000, 3_000)).toEqual([[], [], [], [one.worker.id]]);
  });

  test('is not given up while renewals may still be under way', async () => {
    const one = await aLivingOne();
    await end(one);
    severed = new SeveredWorkers(() => now, 3_600_000);
    expect(await looks(0, 3_000, 3_000)).toEqual([[], [], []]);
  });

  test('is distinguished from one that is only slow, which keeps its lock', async () => {
    await aLivingOne();
    expect(await looks(0, 3_000, 3_000, 3_000)).toEqual([[], [], [], []]);
  });

  test('is distinguished from one that lost its connection, which takes the lock again', async () => {
    await aLivingOne();
    const [pid] = await connectionsThatHold();
    await database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    await looks(0);
    await waitFor(async () => (await connectionsThatHold()).some((other) => other !== pid), {
      what: 'the lock is held again',
    });
    expect(await looks(3_000, 3_000)).toEqual([[], []]);
  });

  test('is distinguished from one that renews its lease without a lock', async () => {
    const one = await aLivingOne();
    await end(one);
    await looks(0);
    await renewLease(database.pool, one.worker);
    expect(await looks(3_000, 3_000)).toEqual([[], []]);
  });

  test('is not looked for right after the server was away', async () => {
    const one = await aLivingOne();
    await end(one);
    await looks(0, 3_000);
    severed.reset();
    expect(await looks(3_000, 3_000, 3_000, 3_000, 3_000, 3_000)).toEqual([[], [], [], [], [], [one.worker.id]]);
  });

  test('is not judged by its lock on a server that has started or recovered since, which no connection outlasts', async () => {
    await end(await aLivingOne());
    const fresh = new Client({ connectionString: database.url });
    await fresh.connect();
    await fresh.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await waitFor(
      async () => {
        const { rows } = await fresh.query<{ count: number }>(
          'SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()',
        );
        return rows[0]?.count === 1;
      },
      { what: 'no other connection is left' },
    );
    for (let look = 0; look < 3; look += 1) {
      expect(await severed.giveUp(fresh)).toEqual([]);
      now += 3_000;
    }
    await fresh.end();
  });

  test('is left to its lease where another connection holds the lock: a pooler’s, or that of a life with the same key', async () => {
    const one = await aLivingOne();
    await end(one);
    const other = openLivenessLock({ url: database.url, life: one.worker.life });
    await waitFor(async () => (await connectionsThatHold()).length === 1, { what: 'the other one holds it' });
    expect(await looks(0, 3_000, 3_000)).toEqual([[], [], []]);
    await other.close();
  });

  test('is left to its lease where its version holds no lock, also after one that did', async () => {
    const worker = await buildWorker(database.pool);
    expect(await looks(0, 3_000, 3_000)).toEqual([[], [], []]);
    await database.pool.query('UPDATE worker SET liveness_key = $2 WHERE id = $1', [
      worker.id,
      livenessKeyOf('an earlier life'),
    ]);
    expect(await looks(0, 3_000, 3_000)).toEqual([[], [], []]);
  });

  test('has no key from a renewal that believes in a lock which the server does not see', async () => {
    const { worker, lease } = await aLivingOne();
    await end({ lease });
    await renewLease(database.pool, worker, { livenessKey: livenessKeyOf(worker.life) });
    expect(await keyOf(worker)).toBeNull();
  });
});
