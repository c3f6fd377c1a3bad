import { SYSTEM, type PermissionDecision } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { buildTurn, buildWorker, buildWorld, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { EventRepository } from '../event/event.repository';
import { applyTransition } from '../turn/apply-transition';
import { TurnSettlementRepository } from '../turn/turn-settlement.repository';
import { TurnRepository } from '../turn/turn.repository';
import { insertPermission } from './open-permission';
import { PermissionRepository, type PermissionAnswer } from './permission.repository';
import { SessionRuleRepository } from './session-rule.repository';

describe('answering a permission', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let turn: Awaited<ReturnType<typeof buildTurn>>;
  let worker: { id: string };
  let logs: EventLogWriter[];
  let permissions: PermissionRepository[];

  const events = () => new EventRepository(database).readEvents(world.session.id, { after: 0, limit: 500 });
  const ask = async (pattern: string | null = 'git *') => {
    const id = newId('permission');
    await insertPermission(database.pool, {
      id,
      sessionId: world.session.id,
      turnId: turn.id,
      kind: 'tool',
      toolUseId: 'toolu_1',
      tool: 'Bash',
      input: { command: 'git \u0000' },
      reason: 'r',
      pattern,
    });
    return id;
  };
  const answer = (permissionId: string, decision: PermissionDecision, person = 'First'): PermissionAnswer => ({
    sessionId: world.session.id,
    permissionId,
    by: { userId: world.owner.id, name: person },
    originator: { userId: world.owner.id, clientId: 'cli_1', identityClass: 'human' },
    decision,
  });

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    world = await buildWorld(database.pool);
    worker = await buildWorker(database.pool);
    turn = await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
    logs = [1, 2].map(() => new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined }));
    permissions = logs.map((log) => new PermissionRepository(database, log));
  });
  afterEach(() => Promise.all(logs.map((log) => log.close())));

  test('of twenty concurrent answers on two nodes the first counts and the others receive its outcome', async () => {
    const id = await ask();
    await applyTransition(database.pool, { turnId: turn.id, cause: 'permission_asked', attempt: 1, fence: turn.fence });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (permissions[index % 2] as PermissionRepository).answerPermission(
          answer(
            id,
            index % 3 ? { decision: 'allow_once' } : { decision: 'deny', reason: `no ${index}` },
            `Person ${index}`,
          ),
        ),
      ),
    );
    const [resolved, ...more] = outcomes.filter((outcome) => outcome.outcome === 'resolved');
    expect(more).toEqual([]);
    if (resolved?.outcome !== 'resolved') throw new Error('no answer was first');
    expect(resolved.workerId).toBe(worker.id);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ permission: resolved.permission });
    const written = await events();
    expect(written).toHaveLength(1);
    expect(written[0]).toMatchObject({
      kind: 'permission:resolve',
      turn: turn.id,
      payload: {
        permissionId: id,
        outcome: resolved.permission.outcome,
        by: { userId: world.owner.id, name: resolved.permission.resolvedBy?.name },
      },
    });
    expect((await new TurnRepository(database).readSignals(worker.id)).answered).toEqual([
      { sessionId: world.session.id, turnId: turn.id, permissionId: id },
    ]);
  });

  test('what is allowed for the session becomes its rule in the same commit, and can be taken back', async () => {
    const [repository] = permissions as [PermissionRepository];
    const rules = new SessionRuleRepository(database);
    await repository.answerPermission(answer(await ask(), { decision: 'allow_pattern' }));
    await repository.answerPermission(answer(await ask(), { decision: 'allow_tool' }));
    await repository.answerPermission(answer(await ask(), { decision: 'allow_once' }));
    await repository.answerPermission(answer(await ask(), { decision: 'deny' }));
    const without = await repository.answerPermission(answer(await ask(null), { decision: 'allow_pattern' }));
    expect(without).toMatchObject({ outcome: 'resolved', permission: { outcome: 'allowed', scope: 'once' } });
    const list = await rules.list(world.session.id);
    expect(list).toMatchObject([
      { tool: 'Bash', pattern: 'git *', createdBy: { userId: world.owner.id, name: 'First' } },
      { tool: 'Bash', pattern: null },
    ]);
    const other = await buildWorld(database.pool);
    expect(await rules.remove(other.session.id, list[0]?.id ?? '')).toBe(false);
    expect(await rules.remove(world.session.id, list[0]?.id ?? '')).toBe(true);
    expect(await rules.list(world.session.id)).toHaveLength(1);
  });

  test('the worker reads the answer as it was given', async () => {
    const [repository] = permissions as [PermissionRepository];
    const first = await ask();
    const second = await ask();
    await repository.answerPermission(
      answer(first, { decision: 'allow_once', answers: { which: 'b' }, input: { command: 'ls' } }),
    );
    expect(await repository.readAnswers([first, second])).toEqual(
      expect.arrayContaining([
        {
          id: first,
          outcome: 'allowed',
          by: { userId: expect.stringMatching(/^user_/) as string, name: 'First' },
          resolvedReason: null,
          answer: { answers: { which: 'b' }, input: { command: 'ls' } },
        },
        { id: second, outcome: null, by: null, resolvedReason: null, answer: null },
      ]),
    );
    expect(await repository.list(world.session.id, { status: 'pending', limit: 9 })).toMatchObject({
      data: [{ id: second, status: 'pending', input: { command: 'git \u0000' } }],
      nextCursor: null,
    });
    const latest = await repository.list(world.session.id, { limit: 1 });
    expect(latest).toMatchObject({ data: [{ id: second }], nextCursor: expect.any(String) as string });
    expect(await repository.list(world.session.id, { limit: 1, cursor: latest.nextCursor ?? '' })).toMatchObject({
      data: [{ id: first }],
      nextCursor: null,
    });
  });

  test('an answer after the turn’s end comes too late, and one for another session finds nothing', async () => {
    const [repository] = permissions as [PermissionRepository];
    const id = await ask();
    const other = await buildWorld(database.pool);
    expect(
      await repository.answerPermission({ ...answer(id, { decision: 'allow_once' }), sessionId: other.session.id }),
    ).toEqual({ outcome: 'not_found' });
    expect(await repository.find(other.session.id, id)).toBeNull();
    await new TurnSettlementRepository(database, logs[0] as EventLogWriter).settle({
      sessionId: world.session.id,
      turnId: turn.id,
      cause: 'fail',
      attempt: 1,
      fence: turn.fence,
      fenced: true,
    });
    expect(await repository.answerPermission(answer(id, { decision: 'allow_once' }))).toMatchObject({
      outcome: 'already_resolved',
      permission: { outcome: 'run_ended' },
    });
    expect((await events()).map(({ kind }) => kind)).toEqual(['permission:resolve', 'turn:end']);
  });

  test('answers that race with the turn’s end leave exactly one resolution, before the end', async () => {
    for (let round = 0; round < 20; round++) {
      world = await buildWorld(database.pool);
      turn = await buildTurn(database.pool, {
        session: world.session,
        authorId: world.owner.id,
        status: 'running',
        workerId: worker.id,
      });
      const id = await ask();
      const settlement = {
        sessionId: world.session.id,
        turnId: turn.id,
        cause: 'interrupt' as const,
        attempt: 1,
        fence: turn.fence,
        fenced: true,
      };
      await Promise.all([
        new TurnSettlementRepository(database, logs[0] as EventLogWriter).settle(settlement),
        ...permissions.map((repository) => repository.answerPermission(answer(id, { decision: 'allow_once' }))),
      ]);
      expect(
        (await events()).map(({ kind, originator }) => [kind, originator === SYSTEM || 'system' in originator]),
      ).toEqual([
        ['permission:resolve', expect.any(Boolean)],
        ['turn:end', true],
      ]);
    }
  });
});
