import {
  buildSession,
  buildTurn,
  buildUser,
  buildWorker,
  buildWorld,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { StatePointerRepository } from '../session/state-pointer.repository';
import { SessionToRunRepository } from '../session/session-to-run.repository';
import { claimNextTurn } from '../turn/claim-turn';
import { ParkedProcessRepository } from './parked-process.repository';

describe('processes that wait for a turn', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let processes: ParkedProcessRepository;

  beforeAll(async () => {
    database = await startTestDatabase();
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    for (const table of ['turn', 'parked_process', 'worker']) await database.pool.query(`DELETE FROM ${table}`);
    world = await buildWorld(database.pool);
    processes = new ParkedProcessRepository(database);
  });

  const row = (workerId: string, sessionId = world.session.id) => ({
    sessionId,
    workerId,
    userId: world.owner.id,
    spawnKey: 'key',
    origin: 'parked' as const,
    expiresInMs: 60_000,
  });
  const aMinuteLater = () =>
    database.pool.query(`UPDATE session SET ahead_asked_at = ahead_asked_at - interval '61 seconds'`);

  test('one is asked for at most once a minute and session, however many ask', async () => {
    const { id } = await buildWorker(database.pool);
    const asked = await Promise.all(Array.from({ length: 10 }, () => processes.askAhead(world.session.id)));
    expect(asked.filter((workerId) => workerId !== null)).toEqual([id]);
    await aMinuteLater();
    expect(await processes.askAhead(world.session.id)).toBe(id);
  });

  test('the worker that holds the session is asked, else the one with the least to do', async () => {
    const [busy, holder] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const other = await buildSession(database.pool, {
      teamId: world.team.id,
      projectId: world.project.id,
      ownerId: world.owner.id,
    });
    await buildTurn(database.pool, { session: other, authorId: world.owner.id, status: 'running', workerId: busy.id });
    expect(await processes.askAhead(world.session.id)).toBe(holder.id);
    await database.pool.query('UPDATE session SET holder_worker_id = $2 WHERE id = $1', [world.session.id, busy.id]);
    await aMinuteLater();
    expect(await processes.askAhead(world.session.id)).toBe(busy.id);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a turn is live', () => buildTurn(database.pool, { session: world.session, authorId: world.owner.id })],
    [
      'the session is archived',
      () => database.pool.query('UPDATE session SET archived_at = now() WHERE id = $1', [world.session.id]),
    ],
    [
      'it is a pipeline',
      () => database.pool.query(`UPDATE session SET mode = 'pipeline' WHERE id = $1`, [world.session.id]),
    ],
    [
      'no worker has the harness that it was switched to',
      () => database.pool.query(`UPDATE session SET harness = 'agent-sdk' WHERE id = $1`, [world.session.id]),
    ],
    ['no worker has its harness', () => database.pool.query(`UPDATE worker SET harnesses = '{}'`)],
    ['no worker has a sandbox', () => database.pool.query(`UPDATE worker SET sandbox = 'unavailable'`)],
  ])('none is asked for while %s', async (_why, change) => {
    await buildWorker(database.pool);
    await change();
    expect(await processes.askAhead(world.session.id)).toBeNull();
  });

  test('none is asked for while one waits at a worker that lives', async () => {
    const [one, other] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    await processes.put(row(one.id));
    expect(await processes.askAhead(world.session.id)).toBeNull();
    await database.pool.query('UPDATE worker SET stopped_at = now() WHERE id = $1', [one.id]);
    expect(await processes.askAhead(world.session.id)).toBe(other.id);
  });

  test('a session has one row, which only its worker removes; what earlier lives left goes', async () => {
    const [one, other] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    await processes.put(row(one.id));
    await processes.put(row(other.id));
    await processes.remove(world.session.id, one.id);
    const rows = async () =>
      (await database.pool.query<{ worker_id: string }>('SELECT worker_id FROM parked_process')).rows.map(
        ({ worker_id: id }) => id,
      );
    expect(await rows()).toEqual([other.id]);
    await processes.removeLeftovers(one.id);
    expect(await rows()).toEqual([other.id]);
    await processes.removeLeftovers(other.id);
    expect(await rows()).toEqual([]);
  });

  test('lists what must stop waiting: archived sessions, and people who may not write there', async () => {
    const worker = await buildWorker(database.pool);
    const member = await buildUser(database.pool, { teamId: world.team.id });
    const session = (visibility: 'private' | 'project') =>
      buildSession(database.pool, {
        teamId: world.team.id,
        projectId: world.project.id,
        ownerId: world.owner.id,
        visibility,
      });
    const [shared, turnedPrivate, archived] = [
      await session('project'),
      await session('private'),
      await session('project'),
    ];
    for (const { id } of [shared, turnedPrivate, archived])
      await processes.put({ ...row(worker.id, id), userId: member.id });
    await processes.put(row(worker.id));
    await database.pool.query('UPDATE session SET archived_at = now() WHERE id = $1', [archived.id]);
    const told = async () =>
      new Map((await processes.listForbidden(worker.id)).map(({ sessionId, reason }) => [sessionId, reason]));
    expect(await told()).toEqual(
      new Map([
        [turnedPrivate.id, 'member_removed'],
        [archived.id, 'archived'],
      ]),
    );
    await database.pool.query(`UPDATE membership SET role = 'viewer' WHERE user_id = $1`, [member.id]);
    expect((await told()).get(shared.id)).toBe('member_removed');
    await database.pool.query('DELETE FROM membership WHERE user_id = $1', [member.id]);
    expect((await told()).get(shared.id)).toBe('member_removed');
  });

  test('a session is found as a turn would find it, for people who may send one while none is live', async () => {
    const worker = await buildWorker(database.pool);
    const stranger = await buildUser(database.pool);
    const expected = { options: { model: { value: 'sonnet', from: 'built-in' as const } }, persona: null };
    const sessionsToRun = new SessionToRunRepository(database);
    const found = await sessionsToRun.find(world.session.id, world.owner.id, expected);
    expect(await sessionsToRun.find(world.session.id, stranger.id, expected)).toBeNull();
    await buildTurn(database.pool, { session: world.session, authorId: world.owner.id });
    expect(await sessionsToRun.find(world.session.id, world.owner.id, expected)).toBeNull();
    const claimed = await claimNextTurn(database.pool, worker, { known: [] });
    expect(found).toMatchObject({
      sessionId: world.session.id,
      ...expected,
      author: { userId: world.owner.id, name: 'Owner' },
      project: claimed?.project,
      session: claimed?.session,
    });
    expect(claimed?.fence).toBe((found?.fence ?? 0n) + 1n);
  });

  test('a worker that holds an idle session and a claim by another never both believe to have it', async () => {
    const [idle, claimer] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const pointers = new StatePointerRepository(database);
    const known: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const session = await buildSession(database.pool, {
        teamId: world.team.id,
        projectId: world.project.id,
        ownerId: world.owner.id,
      });
      await buildTurn(database.pool, { session, authorId: world.owner.id });
      const [held, claimed] = await Promise.all([
        pointers.holdIdle({ sessionId: session.id, workerId: idle.id }),
        claimNextTurn(database.pool, claimer, { known }),
      ]);
      known.push(claimed?.id ?? '');
      expect(held).toBeNull();
      expect(claimed?.sessionId).toBe(session.id);
      expect((await pointers.read(session.id))?.holderWorkerId).toBe(claimer.id);
    }
  });
});
