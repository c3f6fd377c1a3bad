import {
  buildSession,
  buildTurn,
  buildWorker,
  buildWorld,
  flakyPool,
  startTestDatabase,
  waitFor,
  type TestDatabase,
} from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { Reconciler } from '../reconcile/reconciler';
import { WorkerRepository } from '../worker/worker.repository';
import type { ClaimedTurn } from './claim-turn';
import { TurnClaimRepository } from './turn-claim.repository';
import { TurnRepository } from './turn.repository';

describe('claiming a turn', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let worker: Awaited<ReturnType<typeof buildWorker>>;
  let log: EventLogWriter;
  let turns: TurnRepository;
  let claims: TurnClaimRepository;

  const claim = async (): Promise<ClaimedTurn> => {
    const claimed = await claims.claimNext(worker);
    if (!claimed) throw new Error('nothing to claim');
    return claimed;
  };
  const queued = () => buildTurn(database.pool, { session: world.session, authorId: world.owner.id });

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.pool.query(`DELETE FROM turn`);
    world = await buildWorld(database.pool);
    worker = await buildWorker(database.pool);
    log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
    turns = new TurnRepository(database);
    claims = new TurnClaimRepository(database);
  });
  afterEach(() => log.close());

  test('a claim waits for a change of the session without holding what that change needs next', async () => {
    await queued();
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`UPDATE session SET title = 'Named' WHERE id = $1`, [world.session.id]);
      const claiming = claim();
      const waits = async () =>
        (
          await database.pool.query(
            `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%WITH picked%'
              AND datname = current_database()`,
          )
        ).rowCount === 1;
      await waitFor(waits, { what: 'the claim waits for the session' });
      await client.query('SELECT 1 FROM session_cursor WHERE session_id = $1 FOR UPDATE NOWAIT', [world.session.id]);
      await client.query('COMMIT');
      expect(await claiming).toMatchObject({ sessionId: world.session.id });
    } finally {
      client.release(true);
    }
  });

  test('of twenty claimers one gets the turn, with the session, the project and a fence that is the log’s', async () => {
    const turn = await queued();
    const claimers = await Promise.all(Array.from({ length: 20 }, () => buildWorker(database.pool)));
    const answers = await Promise.all(claimers.map((claimer) => claims.claimNext(claimer)));
    const [claimed, ...others] = answers.filter((each) => each !== null);
    expect(others).toEqual([]);
    expect(claimed).toMatchObject({
      id: turn.id,
      sessionId: world.session.id,
      attempt: 1,
      fence: 1n,
      message: 'Hello',
      messageCipher: Buffer.from([0]),
      session: { ownerId: world.owner.id, mode: 'workbench', stateVersion: 0, stateKey: null, previousHolderId: null },
      project: { id: world.project.id, source: { kind: 'empty' }, bundleKey: null },
    });
    const { rows } = await database.pool.query(
      'SELECT s.holder_worker_id, c.fence, t.worker_id, t.status FROM session s JOIN session_cursor c ON c.session_id = s.id JOIN turn t ON t.session_id = s.id WHERE s.id = $1',
      [world.session.id],
    );
    expect(rows).toEqual([
      { holder_worker_id: rows[0].worker_id, fence: '1', worker_id: rows[0].worker_id, status: 'starting' },
    ]);
  });

  test('twenty claimers of many turns get each once', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 40 }, () =>
        buildSession(database.pool, { teamId: world.team.id, projectId: world.project.id, ownerId: world.owner.id }),
      ),
    );
    for (const session of sessions) await buildTurn(database.pool, { session, authorId: world.owner.id });
    const claimers = await Promise.all(Array.from({ length: 10 }, () => buildWorker(database.pool)));
    const taken = await Promise.all(
      claimers.map(async (claimer) => {
        const ids = [];
        const claim = () => claims.claimNext(claimer);
        for (let next = await claim(); next; next = await claim()) ids.push(next.id);
        return ids;
      }),
    );
    expect(taken.flat()).toHaveLength(40);
    expect(new Set(taken.flat()).size).toBe(40);
  });

  test('a claim whose answer was lost is repeated to the same worker and to no other', async () => {
    const turn = await queued();
    let statements = 0;
    const pool = flakyPool(database.pool, () => (statements++ === 0 ? 'lost-after' : 'ok'));
    const unlucky = new TurnClaimRepository({ pool });
    await expect(unlucky.claimNext(worker)).rejects.toThrow('Connection terminated');
    const other = await buildWorker(database.pool);
    expect(await claims.claimNext(other)).toBeNull();
    expect(await turns.findUnattendedTurns({ olderThanMs: 0 })).toEqual([{ turnId: turn.id, workerId: worker.id }]);
    expect(await unlucky.claimNext(worker)).toMatchObject({ id: turn.id, attempt: 1, fence: 1n });
    expect(await unlucky.claimNext(worker)).toBeNull();
  });

  test('a claim of an earlier life of the worker takes nothing, or what is settled as lost', async () => {
    const turn = await queued();
    const workers = new WorkerRepository(database);
    const next = { ...worker, life: 'the next one' };
    const register = () =>
      workers.register({
        ...next,
        pid: 2,
        sandbox: 'bubblewrap',
        sandboxDetail: null,
        claudeVersion: null,
        harnesses: ['claude-code'],
      });
    // The claim has read its own life and waits for the cursor, while the next life begins.
    const holdsCursor = await database.pool.connect();
    await holdsCursor.query('BEGIN');
    await holdsCursor.query('SELECT 1 FROM session_cursor WHERE session_id = $1 FOR UPDATE', [world.session.id]);
    const late = claims.claimNext(worker);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%WITH picked%'`;
    await waitFor(async () => (await database.pool.query(waiting)).rowCount === 1, { what: 'the claim waits' });
    await register();
    await holdsCursor.query('COMMIT');
    holdsCursor.release();
    expect(await late).toMatchObject({ id: turn.id });
    const nothing = () => undefined;
    const reconciler = new Reconciler({ database, log, enqueue: nothing, machine: 'none', killProcess: nothing });
    expect((await reconciler.tick()).lostTurns).toEqual([turn.id]);

    const later = await queued();
    expect(await claims.claimNext(worker)).toBeNull();
    expect(await claims.claimNext(next)).toMatchObject({ id: later.id });
  });

  test('a worker whose lease is not good claims nothing, and a session is left to its live holder', async () => {
    await queued();
    const expired = await buildWorker(database.pool, { leaseMs: -1 });
    expect(await claims.claimNext(expired)).toBeNull();
    expect(await claims.claimNext({ id: 'worker_unknown', life: worker.life })).toBeNull();
    const holder = await buildWorker(database.pool);
    await database.pool.query('UPDATE session SET holder_worker_id = $2 WHERE id = $1', [world.session.id, holder.id]);
    expect(await claims.claimNext(worker)).toBeNull();
    await database.pool.query('UPDATE worker SET draining = true WHERE id = $1', [holder.id]);
    expect(await claims.claimNext(holder)).toBeNull();
    await database.pool.query('UPDATE worker SET stopped_at = now() WHERE id = $1', [holder.id]);
    expect(await claims.claimNext(worker)).toMatchObject({ session: { previousHolderId: holder.id } });
  });

  test('a turn goes to a worker that has its session’s harness, also where one that has not holds the session', async () => {
    await queued();
    const holder = await buildWorker(database.pool);
    await database.pool.query('UPDATE session SET holder_worker_id = $2 WHERE id = $1', [world.session.id, holder.id]);
    await database.pool.query(`UPDATE worker SET harnesses = '{}' WHERE id = ANY ($1)`, [[holder.id, worker.id]]);
    expect(await claims.claimNext(holder)).toBeNull();
    expect(await claims.claimNext(worker)).toBeNull();
    await database.pool.query(`UPDATE worker SET harnesses = '{agent-sdk,claude-code}' WHERE id = $1`, [worker.id]);
    expect(await claims.claimNext(worker)).toMatchObject({ session: { harness: 'claude-code' } });
  });
});
