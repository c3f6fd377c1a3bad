import { SYSTEM, type NewEvent } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import {
  buildSession,
  buildTurn,
  buildWorker,
  buildWorld,
  startTestDatabase,
  waitFor,
  type TestDatabase,
} from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { EventRepository } from '../event/event.repository';
import { insertPermission } from '../permission/open-permission';
import { applyTransition } from '../turn/apply-transition';
import { TurnClaimRepository } from '../turn/turn-claim.repository';
import { TurnSettlementRepository } from '../turn/turn-settlement.repository';
import { TurnRepository } from '../turn/turn.repository';
import { livenessKeyOf } from '../worker/liveness-lock';
import { WorkerProcessRepository } from '../worker/worker-process.repository';
import type { WorkerLife } from '../worker/lease';
import { WorkerRepository } from '../worker/worker.repository';
import { renewLease } from '../worker/worker.sql';
import { Reconciler, type ReconcilerOptions } from './reconciler';

describe('reconciling', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let log: EventLogWriter;
  let turns: TurnRepository;
  let claims: TurnClaimRepository;
  let settlements: TurnSettlementRepository;
  let enqueued: [string, string | null][];
  let killed: number[];

  const reconciler = (options: Partial<ReconcilerOptions> = {}) =>
    new Reconciler({
      database,
      log,
      machine: 'here',
      enqueue: (turnId, holder) => enqueued.push([turnId, holder]),
      killProcess: ({ pid }) => void killed.push(pid),
      ...options,
    });
  const expire = (workerId: string, ageMs = 1) =>
    database.pool.query(`UPDATE worker SET lease_expires_at = now() - $2 * interval '1 millisecond' WHERE id = $1`, [
      workerId,
      ageMs,
    ]);
  const kinds = async (session = world.session.id) =>
    (await new EventRepository(database).readEvents(session, { after: 0, limit: 100 })).map(({ kind }) => kind);
  const note = (turn: string): NewEvent => ({
    kind: 'turn:notice',
    turn,
    originator: SYSTEM,
    payload: { level: 'info', code: 'TEST', text: 'x' },
  });

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.pool.query('DELETE FROM turn');
    await database.pool.query('DELETE FROM worker');
    world = await buildWorld(database.pool);
    enqueued = [];
    killed = [];
    log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
    turns = new TurnRepository(database);
    claims = new TurnClaimRepository(database);
    settlements = new TurnSettlementRepository(database, log);
  });
  afterEach(() => log.close());

  test('a worker whose lease ran out loses its turns within one tick, and nothing it does afterwards counts', async () => {
    const worker = await buildWorker(database.pool);
    await buildTurn(database.pool, { session: world.session, authorId: world.owner.id });
    const claimed = await claims.claimNext(worker);
    if (!claimed) throw new Error('nothing to claim');
    await applyTransition(database.pool, { turnId: claimed.id, cause: 'spawned', attempt: 1, fence: claimed.fence });
    await log.append({ sessionId: claimed.sessionId, fence: claimed.fence, events: [note(claimed.id)] });
    await insertPermission(database.pool, {
      id: newId('permission'),
      sessionId: claimed.sessionId,
      turnId: claimed.id,
      kind: 'tool',
      toolUseId: 't',
      tool: 'Bash',
      input: {},
      reason: '',
      pattern: null,
    });
    expect(await reconciler().tick()).toMatchObject({ deadWorkers: [], lostTurns: [] });

    await expire(worker.id);
    expect(await reconciler().tick()).toMatchObject({ deadWorkers: [worker.id], lostTurns: [claimed.id] });
    expect(await kinds()).toEqual(['turn:notice', 'permission:resolve', 'session:error', 'process:exit', 'turn:end']);
    expect(await turns.find(claimed.sessionId, claimed.id)).toMatchObject({
      status: 'lost',
      error: { code: 'WORKER_LOST' },
    });

    const stale = { turnId: claimed.id, attempt: 1, fence: claimed.fence };
    expect(
      await log.append({ sessionId: claimed.sessionId, fence: claimed.fence, events: [note(claimed.id)] }),
    ).toEqual({ appended: false, reason: 'fenced' });
    expect(await applyTransition(database.pool, { ...stale, cause: 'result' })).toBe(false);
    expect(
      await settlements.settle({ ...stale, sessionId: claimed.sessionId, cause: 'succeed', fenced: true }),
    ).toEqual({
      appended: false,
      reason: 'transition_refused',
    });
    expect(await renewLease(database.pool, worker)).toBe(false);
    expect(await claims.claimNext(worker)).toBeNull();
    expect(await reconciler().tick()).toMatchObject({ deadWorkers: [], lostTurns: [] });
    expect(await kinds()).toHaveLength(5);
  });

  test('a worker that starts again under its name has lost what its earlier life was at, but keeps what it takes now', async () => {
    const worker = await buildWorker(database.pool);
    const old = await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
    const workers = new WorkerRepository(database);
    const next = { id: worker.id, life: 'the next one' };
    await workers.register({
      ...next,
      machine: 'here',
      pid: 2,
      slots: 2,
      sandbox: 'bubblewrap',
      sandboxDetail: null,
      claudeVersion: '1',
      harnesses: ['claude-code'],
    });
    const session = await buildSession(database.pool, {
      teamId: world.team.id,
      projectId: world.project.id,
      ownerId: world.owner.id,
    });
    const fresh = await buildTurn(database.pool, { session, authorId: world.owner.id });
    await claims.claimNext(next);
    expect(await reconciler().tick()).toMatchObject({ deadWorkers: [], lostTurns: [old.id] });
    expect(await turns.find(session.id, fresh.id)).toMatchObject({ status: 'starting' });
    expect(await renewLease(database.pool, next)).toBe(true);
  });

  test('a worker whose process is gone loses its turns after a few looks, though its lease is good', async () => {
    const worker = await buildWorker(database.pool);
    const turn = await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
    // No connection holds that lock.
    await database.pool.query('UPDATE worker SET liveness_key = $2, last_seen_at = now() WHERE id = $1', [
      worker.id,
      livenessKeyOf(worker.life),
    ]);
    let now = 0;
    const own = reconciler({ clock: () => now, silentAfterMs: 0 });
    for (let look = 0; look < 2; look += 1) {
      expect(await own.tick()).toMatchObject({ deadWorkers: [], lostTurns: [] });
      now += 3_000;
    }
    expect(await own.tick()).toMatchObject({ deadWorkers: [worker.id], lostTurns: [turn.id] });
  });

  test('a life that another one replaced renews nothing, so that it ends instead of holding sessions that it cannot serve', async () => {
    const worker = await buildWorker(database.pool);
    await database.pool.query(`UPDATE worker SET life = 'one that registered late' WHERE id = $1`, [worker.id]);
    const lease = async () =>
      (await database.pool.query('SELECT lease_expires_at, last_seen_at FROM worker WHERE id = $1', [worker.id])).rows;
    const before = await lease();
    expect(await renewLease(database.pool, worker)).toBe(false);
    expect(await lease()).toEqual(before);
  });

  test('twenty reconcilers at once settle each turn once', async () => {
    const worker = await buildWorker(database.pool);
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () =>
        buildSession(database.pool, { teamId: world.team.id, projectId: world.project.id, ownerId: world.owner.id }),
      ),
    );
    for (const session of sessions)
      await buildTurn(database.pool, { session, authorId: world.owner.id, status: 'running', workerId: worker.id });
    await expire(worker.id);
    const reports = await Promise.all(Array.from({ length: 20 }, () => reconciler().tick()));
    expect(reports.flatMap(({ lostTurns }) => lostTurns)).toHaveLength(10);
    for (const session of sessions)
      expect(await kinds(session.id)).toEqual(['session:error', 'process:exit', 'turn:end']);
  });

  test('what a crash left half done is finished by the next tick', async () => {
    const worker = await buildWorker(database.pool);
    const turn = await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
    // As after a crash between giving up the worker and settling its turns.
    await database.pool.query('UPDATE worker SET stopped_at = now() WHERE id = $1', [worker.id]);
    expect(await reconciler().tick()).toMatchObject({ lostTurns: [turn.id] });
  });

  test('a lease that ran out while Postgres was away is good for one more term', async () => {
    let nowMs = 0;
    const patient = reconciler({ clock: () => nowMs });
    const worker = await buildWorker(database.pool);
    const dead = await buildWorker(database.pool);
    await expire(dead.id, 120_000);
    const turn = await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
    expect((await patient.tick()).deadWorkers).toEqual([dead.id]);
    nowMs += 40_000;
    await expire(worker.id, 10_000);
    expect(await patient.tick()).toMatchObject({ extendedLeases: 1, deadWorkers: [], lostTurns: [] });
    nowMs += 5_000;
    expect(await patient.tick()).toMatchObject({ extendedLeases: 0, deadWorkers: [], lostTurns: [] });
    await expire(worker.id);
    nowMs += 5_000;
    expect(await patient.tick()).toMatchObject({ extendedLeases: 0, deadWorkers: [worker.id], lostTurns: [turn.id] });
  });

  test('an outage of Postgres fails the tick and is survived', async () => {
    const worker = await buildWorker(database.pool);
    await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
    const one = reconciler();
    await one.tick();
    await database.postgres.goDown();
    await expect(one.tick()).rejects.toThrow();
    await database.postgres.comeUp();
    await waitFor(async () => (await one.tick().catch(() => null)) !== null, { what: 'ticks again' });
    expect(await kinds()).toEqual([]);
  }, 30_000);

  test('unclaimed turns are announced again, oldest first, to their holder where there is one', async () => {
    const holder = await buildWorker(database.pool);
    const young = await buildSession(database.pool, {
      teamId: world.team.id,
      projectId: world.project.id,
      ownerId: world.owner.id,
    });
    const held = await buildSession(database.pool, {
      teamId: world.team.id,
      projectId: world.project.id,
      ownerId: world.owner.id,
    });
    await database.pool.query('UPDATE session SET holder_worker_id = $2 WHERE id = $1', [held.id, holder.id]);
    await buildTurn(database.pool, { session: young, authorId: world.owner.id });
    const old = await buildTurn(database.pool, { session: world.session, authorId: world.owner.id, ageMs: 60_000 });
    const older = await buildTurn(database.pool, { session: held, authorId: world.owner.id, ageMs: 90_000 });
    expect((await reconciler().tick()).enqueued).toBe(2);
    expect(enqueued).toEqual([
      [older.id, holder.id],
      [old.id, null],
    ]);
  });

  test('only this machine’s processes of dead workers and of earlier lives are ended, once', async () => {
    const dead = await buildWorker(database.pool, { machine: 'here' });
    const alive = await buildWorker(database.pool, { machine: 'here' });
    const processes = new WorkerProcessRepository(database);
    const register = ({ id: workerId, life: workerLife }: WorkerLife, pid: number, machine = 'here') =>
      processes.register({
        workerId,
        workerLife,
        pid,
        machine,
        sessionId: world.session.id,
        turnId: null,
        startTime: '1',
      });
    await register(dead, 1);
    await register(dead, 2, 'elsewhere');
    await register({ id: 'worker_forgotten', life: 'forgotten' }, 3);
    await register(alive, 4);
    const next = { id: alive.id, life: 'the next one' };
    await new WorkerRepository(database).register({
      ...next,
      machine: 'here',
      pid: 9,
      slots: 1,
      sandbox: 'bubblewrap',
      sandboxDetail: null,
      claudeVersion: null,
      harnesses: ['claude-code'],
    });
    const kept = await register(next, 5);
    // What the earlier life sent may take effect only now.
    await register(alive, 6);
    await expire(dead.id);
    expect((await reconciler().tick()).killedProcesses).toBe(4);
    expect(killed.sort()).toEqual([1, 3, 4, 6]);
    expect((await reconciler().tick()).killedProcesses).toBe(0);
    await processes.unregister(kept);
  });

  test('expired keys, presence, sign-ins and reset links are forgotten', async () => {
    await database.pool.query(
      `INSERT INTO idempotency_key VALUES ('u', $1, 'old', 'h', 't', now() - interval '1 second'), ('u', $1, 'new',
        'h', 't', now() + interval '1 hour')`,
      [world.session.id],
    );
    const { rows: people } = await database.pool.query<{ id: string }>('SELECT id FROM "user" LIMIT 1');
    for (const [name, age] of [
      ['old', '-1 second'],
      ['new', '1 hour'],
    ] as const) {
      await database.pool.query(
        'INSERT INTO refresh_family (id, user_id, expires_at) VALUES ($1, $2, now() + $3::interval)',
        [name, people[0]?.id, age],
      );
      await database.pool.query(
        'INSERT INTO password_reset (token_hash, user_id, expires_at) VALUES ($1, $2, now() + $3::interval)',
        [name, people[0]?.id, age],
      );
    }
    await reconciler().tick();
    const { rows } = await database.pool.query('SELECT key FROM idempotency_key WHERE session_id = $1', [
      world.session.id,
    ]);
    expect(rows).toEqual([{ key: 'new' }]);
    const kept = await database.pool.query<{ id: string }>(
      `SELECT id FROM refresh_family WHERE id IN ('old', 'new') UNION ALL SELECT token_hash FROM password_reset`,
    );
    expect(kept.rows).toEqual([{ id: 'new' }, { id: 'new' }]);
  });

  test('calls of MCP sessions are forgotten after a day, those whose turn still runs later', async () => {
    const { pool } = database;
    const turn = await buildTurn(pool, { session: world.session, authorId: world.owner.id });
    await pool.query(
      `INSERT INTO mcp_session (id, user_id, client_name, client_version, opens_pages) VALUES ('m', $1, 'c', '1', false)`,
      [world.owner.id],
    );
    await pool.query(
      `INSERT INTO mcp_call (mcp_session_id, request_id, id, session_id, owns_turn, turn_id, after_event_id, created_at)
       SELECT 'm', name, name, $1, true, turn_id, 0, now() - age::interval
       FROM (VALUES ('old', NULL, '25 hours'), ('running', $2, '25 hours'), ('new', NULL, '1 hour')) v(name, turn_id, age)`,
      [world.session.id, turn.id],
    );
    await reconciler().tick();
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM mcp_call ORDER BY id');
    expect(rows.map(({ id }) => id)).toEqual(['new', 'running']);
  });
});
