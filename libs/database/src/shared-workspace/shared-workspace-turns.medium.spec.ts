import { SYSTEM } from '@chirality/contracts';
import {
  buildProject,
  buildSession,
  buildTurn,
  buildUser,
  buildWorker,
  buildWorld,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { Reconciler } from '../reconcile/reconciler';
import { SessionRepository } from '../session/session.repository';
import { TurnAcceptanceRepository } from '../turn/turn-acceptance.repository';
import { TurnClaimRepository } from '../turn/turn-claim.repository';
import { TurnInterruptRepository } from '../turn/turn-interrupt.repository';
import { TurnSettlementRepository } from '../turn/turn-settlement.repository';
import type { WorkerLife } from '../worker/lease';
import { WorkerRepository } from '../worker/worker.repository';
import { SharedWorkspacePointerRepository } from './shared-workspace-pointer.repository';
import { SharedWorkspaceRepository } from './shared-workspace.repository';

jest.setTimeout(60_000);

describe('sessions that share a workspace', () => {
  let database: TestDatabase;
  let log: EventLogWriter;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let one: { id: string; teamId: string };
  let two: { id: string; teamId: string };
  let acceptance: TurnAcceptanceRepository;
  let workspaces: SharedWorkspaceRepository;
  let pointers: SharedWorkspacePointerRepository;

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
    log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
  });
  afterAll(async () => {
    await log.close();
    await database.close();
  });
  beforeEach(async () => {
    await database.pool.query(`DELETE FROM turn; UPDATE worker SET stopped_at = now()`);
    world = await buildWorld(database.pool);
    [one, two] = [await sharing(), await sharing()];
    acceptance = new TurnAcceptanceRepository(database, log);
    workspaces = new SharedWorkspaceRepository(database);
    pointers = new SharedWorkspacePointerRepository(database);
  });

  const sharing = () =>
    buildSession(database.pool, {
      teamId: world.team.id,
      projectId: world.project.id,
      ownerId: world.owner.id,
      isShared: true,
    });
  const accept = (session: { id: string; teamId: string }) =>
    acceptance.accept({
      session,
      kind: 'message',
      message: 'Go',
      messageCipher: Buffer.from('sealed'),
      options: {},
      author: { userId: world.owner.id, name: 'Owner', identityClass: 'human' },
      originator: { userId: world.owner.id, clientId: 'cli_1', identityClass: 'human' },
    });
  const claim = (worker: WorkerLife) => new TurnClaimRepository(database).claimNext(worker);
  const workspaceId = async () => (await workspaces.findOf(one.id))?.id ?? '';
  const settle = async (turn: { id: string; sessionId: string; fence: bigint }) => {
    const ended = await new TurnSettlementRepository(database, log).settle({
      sessionId: turn.sessionId,
      turnId: turn.id,
      cause: 'fail',
      attempt: 1,
      fence: turn.fence,
      fenced: true,
    });
    expect(ended.appended).toBe(true);
  };
  /** A turn of session one that ran on that worker, launched, is over and not stored. */
  const ranOn = async (worker: WorkerLife) => {
    await accept(one);
    const ran = await claim(worker);
    if (!ran) throw new Error('nothing was claimed');
    await database.pool.query(`UPDATE turn SET launch = '{}' WHERE id = $1`, [ran.id]);
    await settle(ran);
    return ran;
  };
  const store = async (worker: WorkerLife, fence: bigint, fromVersion = 0) =>
    pointers.move({
      sharedWorkspaceId: await workspaceId(),
      workerId: worker.id,
      fromVersion,
      key: `workspaces/${await workspaceId()}/${fence}/00ff/state.json`,
    });
  const storeConversation = ({ sessionId, fence }: { sessionId: string; fence: bigint }) =>
    database.pool.query('UPDATE session SET state_version = 1, state_key = $2 WHERE id = $1', [
      sessionId,
      `sessions/${sessionId}/${fence}/00ff/state.json`,
    ]);

  test('join the one of their project’s branch, also when it got its name after the first session', async () => {
    const { team, owner } = world;
    const project = await buildProject(database.pool, { teamId: team.id, createdById: owner.id });
    const sessions = new SessionRepository(database, log);
    const create = (workspace: 'own' | 'shared') =>
      sessions.create({
        teamId: team.id,
        projectId: project.id,
        ownerId: owner.id,
        title: 'S',
        persona: null,
        mode: 'workbench',
        workspace,
        harness: 'claude-code',
        visibility: 'private',
        options: {},
      });
    const [first, second] = await Promise.all([create('shared'), create('shared')]);
    await database.pool.query(`UPDATE project SET base_branch = 'main' WHERE id = $1`, [project.id]);
    const third = await create('shared');
    await create('own');
    const view = await workspaces.findOf(first.id);
    expect(view?.branch).toBe('main');
    expect(view?.sessions.map(({ id }) => id).sort()).toEqual([first.id, second.id, third.id].sort());
    await database.pool.query(`UPDATE project SET base_branch = 'next' WHERE id = $1`, [project.id]);
    const fourth = await create('shared');
    expect((await workspaces.findOf(fourth.id))?.sessions.map(({ id }) => id)).toEqual([fourth.id]);
  });

  test('join one and the same while the branch gets its name, however many come at once', async () => {
    const { team, owner } = world;
    const sessions = new SessionRepository(database, log);
    for (let round = 0; round < 5; round += 1) {
      const project = await buildProject(database.pool, { teamId: team.id, createdById: owner.id });
      const create = () =>
        sessions.create({
          ...{ teamId: team.id, projectId: project.id, ownerId: owner.id, title: 'S', persona: null, options: {} },
          ...{ mode: 'workbench', workspace: 'shared', harness: 'claude-code', visibility: 'private' },
        });
      const named = database.pool.query(`UPDATE project SET base_branch = 'main' WHERE id = $1`, [project.id]);
      await Promise.all([create(), create(), create(), named, create(), create(), create()]);
      const last = await create();
      expect((await workspaces.findOf(last.id))?.sessions).toHaveLength(7);
    }
  });

  test('of turns that come at once in several of them exactly one is accepted, and the others learn which', async () => {
    const sessions = [one, two, await sharing(), await sharing()];
    for (let round = 0; round < 10; round += 1) {
      const outcomes = await Promise.all([...sessions, ...sessions].map(accept));
      const accepted = outcomes.flatMap((outcome) => (outcome.outcome === 'accepted' ? [outcome.turn] : []));
      expect(accepted).toHaveLength(1);
      const [turn] = accepted;
      for (const outcome of outcomes) {
        if (outcome.outcome === 'workspace_in_use')
          expect(outcome.use).toMatchObject({ session: { id: turn?.sessionId }, turn: { id: turn?.id } });
        else if (outcome.outcome === 'busy') expect(outcome.active.id).toBe(turn?.id);
        else expect(outcome.outcome).toBe('accepted');
      }
      await database.pool.query(`UPDATE turn SET status = 'cancelled', active_session_id = NULL,
        message_cipher = NULL, ended_at = now() WHERE active_session_id IS NOT NULL`);
    }
  });

  test('a session with its own files is never in their way', async () => {
    await accept(one);
    expect((await accept(world.session)).outcome).toBe('accepted');
  });

  test('the workspace is free again when a turn is cancelled, and when its worker died', async () => {
    const first = await accept(one);
    if (first.outcome !== 'accepted') throw new Error(first.outcome);
    await new TurnInterruptRepository(database, log).request({
      turnId: first.turn.id,
      userId: world.owner.id,
      originator: { userId: world.owner.id, clientId: 'cli_1', identityClass: 'human' },
    });
    const worker = await buildWorker(database.pool);
    expect((await accept(two)).outcome).toBe('accepted');
    const ran = await claim(worker);
    await database.pool.query(
      `UPDATE turn SET status = 'running', launch = '{}', mutating_tool_started = true WHERE id = $1`,
      [ran?.id],
    );
    await database.pool.query(`UPDATE worker SET lease_expires_at = now() - interval '1 hour' WHERE id = $1`, [
      worker.id,
    ]);
    expect((await accept(one)).outcome).toBe('workspace_in_use');
    await new Reconciler({
      database,
      log,
      enqueue: () => undefined,
      machine: 'test',
      killProcess: () => undefined,
    }).tick();
    expect((await accept(one)).outcome).toBe('accepted');
  });

  test('while a permission is waited for, the workspace stays in use', async () => {
    await buildTurn(database.pool, { session: one, authorId: world.owner.id, status: 'awaiting_permission' });
    const refused = await accept(two);
    expect(refused).toMatchObject({ outcome: 'workspace_in_use', use: { session: { status: 'waiting' } } });
  });

  test('the next turn of any of them goes to the worker that has the files, until they are stored', async () => {
    const [holder, other] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const ran = await ranOn(holder);
    await accept(two);
    expect(await claim(other)).toBeNull();
    await database.pool.query('UPDATE worker SET draining = true WHERE id = $1', [holder.id]);
    expect(await claim(other)).toBeNull();
    expect(await store(holder, ran.workspaceFence ?? 0n)).toBe(true);
    const claimed = await claim(other);
    expect(claimed).toMatchObject({ sessionId: two.id, workspaceFence: (ran.workspaceFence ?? 0n) + 1n });
    expect((await pointers.read(await workspaceId()))?.holderWorkerId).toBe(other.id);
  });

  test('it goes there also where another worker has the session’s conversation, once that is stored', async () => {
    const [first, second] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const ran = await ranOn(first);
    await store(first, ran.workspaceFence ?? 0n);
    await database.pool.query('UPDATE worker SET draining = true WHERE id = $1', [first.id]);
    await accept(two);
    const moved = await claim(second);
    if (!moved) throw new Error('nothing was claimed');
    await settle(moved);
    await database.pool.query('UPDATE worker SET draining = false WHERE id = $1', [first.id]);
    await accept(one);
    expect(await claim(first)).toBeNull();
    expect(await claim(second)).toBeNull();
    await storeConversation(ran);
    expect(await claim(first)).toBeNull();
    expect((await claim(second))?.sessionId).toBe(one.id);
  });

  test('a session learns that others changed the files since its last turn', async () => {
    const worker = await buildWorker(database.pool);
    const turnIn = async (session: { id: string; teamId: string }, mutated: boolean) => {
      await accept(session);
      const claimed = await claim(worker);
      if (!claimed) throw new Error('nothing was claimed');
      await database.pool.query(`UPDATE turn SET launch = '{}', mutating_tool_started = $2 WHERE id = $1`, [
        claimed.id,
        mutated,
      ]);
      await settle(claimed);
      return claimed.changedByOthers;
    };
    const order: [typeof one, boolean][] = [
      [two, true],
      [one, true],
      [one, true],
      [two, false],
      [one, false],
      [two, false],
    ];
    const learned = [];
    for (const [session, mutated] of order) learned.push(await turnIn(session, mutated));
    expect(learned).toEqual([false, false, false, true, false, false]);
  });

  test('it learns the same of what a person did in another session, once', async () => {
    const worker = await buildWorker(database.pool);
    const sharedWorkspaceId = await workspaceId();
    const learnsOf = async (session: { id: string; teamId: string }) => {
      await accept(session);
      const claimed = await claim(worker);
      if (!claimed) throw new Error('nothing was claimed');
      await database.pool.query(`UPDATE turn SET launch = '{}' WHERE id = $1`, [claimed.id]);
      await settle(claimed);
      return claimed.changedByOthers;
    };
    const act = (session: { id: string }) => workspaces.noteAct({ sharedWorkspaceId, sessionId: session.id });
    await act(one);
    const learned = [await learnsOf(one), await learnsOf(two)];
    await act(one);
    await act(one);
    learned.push(await learnsOf(one), await learnsOf(two), await learnsOf(two), await learnsOf(one));
    expect(learned).toEqual([false, false, false, true, false, false]);
  });

  test('are listed while a turn is live in them', async () => {
    expect(await workspaces.listUsed([world.team.id])).toEqual([]);
    await accept(one);
    const [used, ...others] = await workspaces.listUsed([world.team.id]);
    expect([used?.id, used?.use.session.id, others]).toEqual([await workspaceId(), one.id, []]);
    expect(await workspaces.listUsed([])).toEqual([]);
    expect(await workspaces.findUsed([await workspaceId(), 'wsp_other'])).toEqual([used]);
  });

  test('a worker that is gone holds nothing, and says what its last turn left unstored', async () => {
    const [holder, other] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const ran = await ranOn(holder);
    await database.pool.query('UPDATE worker SET stopped_at = now() WHERE id = $1', [holder.id]);
    await accept(two);
    const claimed = await claim(other);
    expect(claimed?.sessionId).toBe(two.id);
    const pointer = await pointers.hold({
      sharedWorkspaceId: await workspaceId(),
      workerId: other.id,
      fence: claimed?.workspaceFence ?? 0n,
    });
    expect(pointer).toEqual({
      version: 0,
      key: null,
      holderWorkerId: other.id,
      lastRunFence: ran.workspaceFence,
    });
  });

  test('a store of a worker that another took the files from moves nothing', async () => {
    const [holder, other] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const ran = await ranOn(holder);
    await database.pool.query('UPDATE worker SET stopped_at = now() WHERE id = $1', [holder.id]);
    await accept(two);
    await claim(other);
    expect(await store(holder, ran.workspaceFence ?? 0n)).toBe(false);
    expect(
      await pointers.hold({
        sharedWorkspaceId: await workspaceId(),
        workerId: holder.id,
        fence: ran.workspaceFence ?? 0n,
      }),
    ).toBeNull();
  });

  test('a user’s act has the files only while no session has a turn in them and no other live worker holds them', async () => {
    const [holder, other] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const sharedWorkspaceId = await workspaceId();
    const idle = (worker: WorkerLife) => pointers.holdIdle({ sharedWorkspaceId, workerId: worker.id });
    await accept(two);
    expect(await idle(holder)).toBeNull();
    const claimed = await claim(holder);
    expect(await idle(holder)).toBeNull();
    if (claimed) await settle(claimed);
    expect(await idle(other)).toBeNull();
    expect(await idle(holder)).toMatchObject({ holderWorkerId: holder.id });
    await pointers.markUnstored({ sharedWorkspaceId, workerId: holder.id });
    await database.pool.query('UPDATE worker SET draining = true WHERE id = $1', [holder.id]);
    await accept(one);
    expect(await claim(other)).toBeNull();
    await store(holder, claimed?.workspaceFence ?? 0n);
    expect((await claim(other))?.sessionId).toBe(one.id);
  });

  test('what is asked of the files goes to the worker that works in them for another session', async () => {
    const [holder, other] = [await buildWorker(database.pool), await buildWorker(database.pool)];
    const workers = new WorkerRepository(database);
    await database.pool.query('UPDATE session SET holder_worker_id = $2 WHERE id = $1', [two.id, other.id]);
    await accept(one);
    await claim(holder);
    expect(await workers.findForWorkspace(two.id)).toBe(holder.id);
  });

  test('an archived session is no longer listed, and keeps the files of the others', async () => {
    await buildUser(database.pool, { teamId: world.team.id });
    await new SessionRepository(database, log).archive(one.id, SYSTEM);
    const view = await workspaces.findOf(two.id);
    expect(view?.sessions.map(({ id }) => id)).toEqual([two.id]);
    await expect(database.pool.query('DELETE FROM shared_workspace')).rejects.toMatchObject({ code: '23001' });
  });
});
