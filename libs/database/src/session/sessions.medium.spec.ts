import type { Visibility } from '@chirality/contracts';
import { SYSTEM } from '@chirality/contracts';
import {
  buildSession,
  buildTurn,
  buildUser,
  buildWorker,
  buildWorld,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { EventRepository } from '../event/event.repository';
import { ProjectRepository } from '../project/project.repository';
import { WorkerRepository } from '../worker/worker.repository';
import { renewLease } from '../worker/worker.sql';
import { StatePointerRepository } from './state-pointer.repository';
import { SessionRepository } from './session.repository';

describe('sessions', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let log: EventLogWriter;
  let sessions: SessionRepository;

  const build = (visibility: Visibility, title = visibility as string, ownerId = world.owner.id) =>
    buildSession(database.pool, { teamId: world.team.id, projectId: world.project.id, ownerId, visibility, title });
  const titles = async (userId: string, filter: Partial<Parameters<SessionRepository['listForUser']>[1]> = {}) =>
    (await sessions.listForUser(userId, { archived: false, limit: 50, ...filter })).data
      .map(({ title }) => title)
      .sort();

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    world = await buildWorld(database.pool);
    log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
    sessions = new SessionRepository(database, log);
  });
  afterEach(() => log.close());

  test('a session is found with the viewer’s role, and not at all from outside its team', async () => {
    const created = await sessions.create({
      teamId: world.team.id,
      projectId: world.project.id,
      ownerId: world.owner.id,
      title: 'New',
      persona: 'reviewer',
      mode: 'pipeline',
      workspace: 'own',
      harness: 'claude-code',
      visibility: 'project',
      options: { model: 'opus', tools: ['Read'] },
    });
    expect(created).toMatchObject({
      status: 'idle',
      activeTurnId: null,
      lastEventId: 0,
      costUsd: '0',
      options: { model: 'opus', tools: ['Read'] },
      persona: 'reviewer',
    });
    const viewer = await buildUser(database.pool, { teamId: world.team.id, role: 'viewer' });
    const stranger = await buildWorld(database.pool);
    expect(await sessions.findForUser(created.id, viewer.id)).toEqual({ session: created, role: 'viewer' });
    expect(await sessions.findForUser(created.id, stranger.owner.id)).toBeNull();
    expect(await sessions.findForUser('sess_unknown', viewer.id)).toBeNull();
    const projects = new ProjectRepository(database);
    expect(await projects.findForUser(world.project.id, viewer.id)).toMatchObject({
      id: world.project.id,
      visibility: 'team',
    });
    expect(await projects.findForUser(world.project.id, stranger.owner.id)).toBeNull();
    expect((await projects.listForUser(stranger.owner.id, { limit: 10 })).data.map(({ id }) => id)).toEqual([
      stranger.project.id,
    ]);
  });

  test('the list has one’s own sessions and the shared ones of one’s teams, in pages, by any filter', async () => {
    await database.pool.query('DELETE FROM session_cursor WHERE session_id = $1', [world.session.id]);
    await database.pool.query('DELETE FROM session WHERE id = $1', [world.session.id]);
    const colleague = await buildUser(database.pool, { teamId: world.team.id });
    await build('private');
    await build('project', 'Fix the BUILD');
    await build('project_read');
    await build('private', 'mine', colleague.id);
    expect(await titles(world.owner.id)).toEqual(['Fix the BUILD', 'private', 'project_read']);
    expect(await titles(colleague.id)).toEqual(['Fix the BUILD', 'mine', 'project_read']);
    expect(await titles(colleague.id, { search: 'build' })).toEqual(['Fix the BUILD']);
    expect(await titles(colleague.id, { search: '%' })).toEqual([]);
    expect(await titles(colleague.id, { projectId: 'proj_other' })).toEqual([]);
    expect(await titles((await buildWorld(database.pool)).owner.id, {})).toEqual(['Session']);
    const pages = [];
    for (let cursor: string | undefined; ;) {
      const page = await sessions.listForUser(world.owner.id, { archived: false, limit: 2, cursor });
      pages.push(page.data.map(({ title }) => title));
      if (!page.nextCursor) break;
      cursor = page.nextCursor;
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 1]);
    expect(pages.flat().sort()).toEqual(await titles(world.owner.id));
    expect(await titles(world.owner.id, { cursor: 'nonsense' })).toHaveLength(3);
  });

  test('the status is what the live turn says', async () => {
    const worker = await buildWorker(database.pool);
    const statusOf = async () => {
      const found = await sessions.find(world.session.id);
      return [found?.status, found?.activeTurnId];
    };
    expect(await statusOf()).toEqual(['idle', null]);
    const turn = await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
    expect(await statusOf()).toEqual(['running', turn.id]);
    await database.pool.query(`UPDATE turn SET status = 'awaiting_permission' WHERE id = $1`, [turn.id]);
    expect(await statusOf()).toEqual(['waiting', turn.id]);
  });

  test('changes appear in the log, and an archived session accepts none', async () => {
    const changed = await sessions.update(
      world.session.id,
      { title: 'Renamed', persona: null, options: { strict: true } },
      SYSTEM,
    );
    expect(changed).toMatchObject({
      title: 'Renamed',
      persona: null,
      options: { strict: true },
      visibility: 'private',
      lastEventId: 1,
    });
    expect(await sessions.archive(world.session.id, SYSTEM)).toBe(true);
    expect(await sessions.archive(world.session.id, SYSTEM)).toBe(false);
    expect(await sessions.update(world.session.id, { title: 'Too late' }, SYSTEM)).toBeNull();
    expect(await sessions.find(world.session.id)).toMatchObject({ status: 'archived', title: 'Renamed' });
    const events = await new EventRepository(database).readEvents(world.session.id, { after: 0, limit: 10 });
    expect(events.map(({ kind, payload }) => [kind, payload])).toEqual([
      ['session:update', { changes: { title: 'Renamed', persona: null, options: { strict: true } } }],
      ['session:end', { reason: 'user' }],
    ]);
  });

  test('single options change beside those that the row has at that moment, and appear with them in the log', async () => {
    const { session } = world;
    await sessions.update(session.id, { options: { strict: true, appendPrompt: 'a\0b', model: 'opus' } }, SYSTEM);
    await Promise.all([
      sessions.update(session.id, { optionChange: { permissionMode: 'plan' } }, SYSTEM),
      sessions.update(session.id, { optionChange: { maxTurns: 3 } }, SYSTEM),
      sessions.update(session.id, { optionChange: { model: null } }, SYSTEM),
    ]);
    const options = { strict: true, appendPrompt: 'a\0b', permissionMode: 'plan', maxTurns: 3 };
    expect((await sessions.find(session.id))?.options).toEqual(options);
    const events = await new EventRepository(database).readEvents(session.id, { after: 0, limit: 10 });
    expect(events.at(-1)?.payload).toEqual({ changes: { options } });
    const unlessMode = 'plan';
    expect(await sessions.update(session.id, { optionChange: { model: 'x' } }, SYSTEM, { unlessMode })).toBeNull();
    expect((await sessions.find(session.id))?.options).toEqual(options);
  });

  test('the pointer to the stored state moves for its holder only, from the version it knows', async () => {
    const pointers = new StatePointerRepository(database);
    const [holder, other] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const sessionId = world.session.id;
    expect(await pointers.holdIdle({ sessionId, workerId: holder.id })).toEqual({
      version: 0,
      key: null,
      holderWorkerId: holder.id,
      lastRunFence: null,
    });
    expect(await pointers.holdIdle({ sessionId, workerId: other.id })).toBeNull();
    const move = (workerId: string, fromVersion: number) =>
      pointers.move({ sessionId, workerId, fromVersion, key: `v${fromVersion + 1}` });
    expect(await move(other.id, 0)).toBe(false);
    const moves = await Promise.all(Array.from({ length: 10 }, () => move(holder.id, 0)));
    expect(moves.filter(Boolean)).toHaveLength(1);
    expect(await pointers.hold({ sessionId, workerId: other.id, fence: 1n })).toBeNull();
    expect(await pointers.hold({ sessionId, workerId: other.id, fence: 0n })).toMatchObject({
      version: 1,
      key: 'v1',
      holderWorkerId: other.id,
    });
    expect(await move(holder.id, 1)).toBe(false);
    expect(await pointers.read(sessionId)).toMatchObject({ version: 1, key: 'v1' });
  });

  test('a workspace is asked of the worker that runs the turn, else of its holder, else of any; a silent one comes last', async () => {
    await database.pool.query('DELETE FROM worker');
    const workers = new WorkerRepository(database);
    expect(await workers.findForWorkspace(world.session.id)).toBeNull();
    expect(await workers.findReadiness()).toEqual({
      workers: 0,
      sandboxed: 0,
      sandbox: 'unavailable',
      detail: null,
      harnesses: [],
      silentSeconds: null,
    });
    const register = async (sandbox: 'bubblewrap' | 'unavailable', detail: string | null = null) => {
      const { id } = await buildWorker(database.pool);
      await workers.register({
        id,
        life: `life of ${id}`,
        machine: 'm',
        pid: 1,
        slots: 2,
        sandbox,
        sandboxDetail: detail,
        claudeVersion: '2.1',
        harnesses: ['claude-code'],
      });
      return id;
    };
    const first = await register('unavailable', 'no user namespaces');
    expect(await workers.findReadiness()).toEqual({
      workers: 1,
      sandboxed: 0,
      sandbox: 'unavailable',
      detail: 'no user namespaces',
      harnesses: [],
      silentSeconds: null,
    });
    const holder = await register('bubblewrap');
    const runner = await register('bubblewrap');
    expect(await workers.findReadiness()).toMatchObject({ sandboxed: 2, harnesses: ['claude-code'] });
    expect(await workers.findForWorkspace(world.session.id)).toBe(first);
    await database.pool.query('UPDATE session SET holder_worker_id = $2 WHERE id = $1', [world.session.id, holder]);
    expect(await workers.findForWorkspace(world.session.id)).toBe(holder);
    await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: runner,
    });
    expect(await workers.findForWorkspace(world.session.id)).toBe(runner);
    await database.pool.query(`UPDATE worker SET lease_expires_at = now() + interval '2 seconds' WHERE id = $1`, [
      runner,
    ]);
    expect(await workers.findForWorkspace(world.session.id)).toBe(holder);
    await renewLease(database.pool, { id: runner, life: `life of ${runner}` });
    expect(await workers.findForWorkspace(world.session.id)).toBe(runner);
    await workers.markStopped(runner);
    await workers.markDraining(holder);
    expect(await workers.findForWorkspace(world.session.id)).toBe(holder);
    expect(
      (await workers.list({ testedVersion: '2.1' })).map(({ id, status, running }) => [id, status, running]).sort(),
    ).toEqual(
      [
        [first, 'sandbox_unavailable', 0],
        [holder, 'draining', 0],
        [runner, 'gone', 1],
      ].sort(),
    );
  });
});
