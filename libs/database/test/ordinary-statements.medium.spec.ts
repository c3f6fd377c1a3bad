import { newId } from '@chirality/domain';
import {
  buildSession,
  buildTurn,
  buildUser,
  buildWorker,
  buildWorld,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import {
  BudgetRepository,
  ModelKeyRepository,
  PriceRepository,
  ProjectEgressRepository,
  ProjectRuleRepository,
  ProjectVariableRepository,
  SetupScriptRepository,
  TeamRepository,
  ToolCallRepository,
  UserRepository,
  WorkerRepository,
} from '../src';

/** Statements that go through the client: what they answer, and what they leave alone. */
describe('ordinary statements', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let other: Awaited<ReturnType<typeof buildWorld>>;

  beforeAll(async () => {
    database = await startTestDatabase();
    world = await buildWorld(database.pool);
    other = await buildWorld(database.pool);
  }, 60_000);
  afterAll(() => database.close());

  const by = () => ({ userId: world.owner.id, name: world.owner.name });

  it('of a team change what is named, and of no other team', async () => {
    const teams = new TeamRepository(database);
    expect(await teams.findOldestId()).toBe(world.team.id);
    await teams.update(world.team.id, { name: 'Renamed\0', limits: { maxTurns: 7 } });
    await teams.update(world.team.id, {});
    await teams.update('team_unknown', { name: 'None' });
    expect(await teams.findForUser(world.team.id, world.owner.id)).toMatchObject({
      name: 'Renamed␀',
      timezone: 'UTC',
      options: {},
      limits: { maxTurns: 7 },
    });
    expect([await teams.findLimits(world.team.id), await teams.findLimits(other.team.id)]).toEqual([
      { maxTurns: 7 },
      {},
    ]);
    expect(await teams.findLimits('team_unknown')).toEqual({});
    expect(await teams.findForUser(other.team.id, other.owner.id)).toMatchObject({ name: 'Team' });
  });

  it('of a member name the private sessions that are not archived, and their roles', async () => {
    const member = await buildUser(database.pool, { teamId: world.team.id, role: 'admin' });
    const session = (visibility: 'private' | 'project') =>
      buildSession(database.pool, {
        teamId: world.team.id,
        projectId: world.project.id,
        ownerId: member.id,
        visibility,
      });
    const [first, second, archived] = [await session('private'), await session('private'), await session('private')];
    await session('project');
    await database.pool.query('UPDATE session SET archived_at = now() WHERE id = $1', [archived.id]);
    expect(await new TeamRepository(database).privateSessionsOf(world.team.id, member.id)).toEqual(
      [first.id, second.id].sort(),
    );
    expect([...(await new UserRepository(database).rolesOf(member.id))]).toEqual([[world.team.id, 'admin']]);
  });

  it('of a worker store what it reports', async () => {
    const workers = new WorkerRepository(database);
    const worker = await buildWorker(database.pool);
    const untouched = await buildWorker(database.pool);
    await workers.reportSandbox(worker.id, 'unavailable', 'no\0bwrap');
    await workers.reportHarnesses(worker.id, { harnesses: [], claudeVersion: '1.2.3' });
    await workers.markDraining(worker.id);
    const listed = new Map((await workers.list({ testedVersion: '1' })).map((one) => [one.id, one]));
    expect(listed.get(worker.id)).toMatchObject({
      status: 'draining',
      sandbox: 'unavailable',
      sandboxDetail: 'no␀bwrap',
      harnesses: [],
      claudeVersion: '1.2.3',
    });
    expect(listed.get(untouched.id)).toMatchObject({
      status: 'ready',
      sandbox: 'bubblewrap',
      sandboxDetail: null,
      harnesses: ['claude-code'],
      claudeVersion: null,
    });
  });

  it('of keys list those in force that the person may see, and seal the others’ values again', async () => {
    const keys = new ModelKeyRepository(database);
    const put = (userId: string | null, sealed: string) =>
      keys.put({
        id: newId('key'),
        teamId: world.team.id,
        userId,
        sealed: Buffer.from(sealed),
        hint: 'abcd',
        createdBy: by(),
      });
    await put(null, 'replaced');
    const team = await put(null, 'of the team');
    const own = await put(world.owner.id, 'own');
    await put(other.owner.id, 'of another');
    expect(await keys.list([world.team.id], world.owner.id)).toEqual([team.key, own.key]);
    expect(await keys.list([other.team.id], world.owner.id)).toEqual([]);
    const seen: string[] = [];
    const resealed = await keys.reseal((keyId, sealed) => {
      expect(Buffer.isBuffer(sealed)).toBe(true);
      seen.push(sealed.toString());
      return keyId === own.key.id ? Buffer.from('sealed again') : null;
    });
    expect([resealed, seen.sort()]).toEqual([1, ['of another', 'of the team', 'own']]);
    expect(await keys.findPaying(world.team.id, world.owner.id)).toEqual({
      id: own.key.id,
      scope: 'user',
      sealed: Buffer.from('sealed again'),
    });
  });

  it('of variables list, seal again and remove those of one project', async () => {
    const variables = new ProjectVariableRepository(database);
    const put = (projectId: string, name: string) =>
      variables.put(
        projectId,
        { name, cipher: Buffer.from(name), givenTo: 'turns', by: by() },
        { variables: 10, bytes: 1_000 },
      );
    const [b, a] = [await put(world.project.id, 'B'), await put(world.project.id, 'A')];
    await put(other.project.id, 'A');
    expect(await variables.list(world.project.id)).toEqual([a, b]);
    const resealed = await variables.reseal((projectId, name, cipher) =>
      projectId === world.project.id && name === 'A' ? Buffer.concat([cipher, Buffer.from('!')]) : null,
    );
    expect(resealed).toBe(1);
    expect(await variables.listSealed(world.project.id)).toEqual([
      { name: 'A', cipher: Buffer.from('A!'), givenTo: 'turns' },
      { name: 'B', cipher: Buffer.from('B'), givenTo: 'turns' },
    ]);
    expect([await variables.remove(world.project.id, 'A'), await variables.remove(world.project.id, 'A')]).toEqual([
      true,
      false,
    ]);
    expect(await variables.list(other.project.id)).toMatchObject([{ name: 'A' }]);
  });

  it('of a project answer its rules, its network and its set-up script', async () => {
    const rules = new ProjectRuleRepository(database);
    const { rule } = await rules.add({
      projectId: world.project.id,
      tool: 'Bash',
      pattern: 'ls',
      effect: 'allow',
      by: by(),
    });
    expect(await rules.list(world.project.id)).toEqual([rule]);
    expect(await rules.remove(other.project.id, rule.id)).toBeNull();
    expect([await rules.remove(world.project.id, rule.id), await rules.remove(world.project.id, rule.id)]).toEqual([
      rule,
      null,
    ]);
    const egress = new ProjectEgressRepository(database);
    expect(await egress.replace(world.project.id, { hosts: ['a.test'], webSearch: true })).toEqual({
      hosts: [],
      webSearch: false,
    });
    expect([await egress.find(world.project.id), await egress.find('project_unknown')]).toEqual([
      { hosts: ['a.test'], webSearch: true },
      null,
    ]);
    const scripts = new SetupScriptRepository(database);
    await scripts.replace(world.project.id, { script: 'npm ci' });
    expect([await scripts.find(world.project.id), await scripts.find(other.project.id)]).toEqual([
      { script: 'npm ci' },
      { script: null },
    ]);
  });

  it('of tool calls list those of one turn, with their input', async () => {
    const calls = new ToolCallRepository(database);
    const turn = await buildTurn(database.pool, {
      session: other.session,
      authorId: other.owner.id,
      status: 'running',
    });
    const attempt = { turnId: turn.id, attempt: turn.attempt, fence: turn.fence, sessionId: other.session.id };
    const call = { name: 'Bash', input: { command: 'ls' }, mutating: true, decision: 'allow' } as const;
    await calls.openToolCall({ ...attempt, ...call, toolUseId: 'one' });
    await calls.openToolCall({ ...attempt, ...call, toolUseId: 'two' });
    await calls.closeToolCall(turn.id, 'one', 'ok');
    expect(await calls.listOfTurn(turn.id)).toMatchObject([
      { toolUseId: 'one', input: { command: 'ls' }, outcome: 'ok', closedAt: expect.any(String) },
      { toolUseId: 'two', decision: 'allow', outcome: null, closedAt: null },
    ]);
    expect(await calls.listOfTurn('turn_unknown')).toEqual([]);
  });

  it('of prices answer decimals as they were stored', async () => {
    const prices = new PriceRepository(database);
    const price = {
      model: 'm',
      effectiveFrom: '2026-01-01T00:00:00.000Z',
      input: '0.0000001',
      output: '12345678.0000000001',
      cacheRead: '0',
      cacheWrite5m: '3.75',
      cacheWrite1h: '6',
      webSearch: '0.01',
    };
    await prices.put([{ ...price, effectiveFrom: '2026-02-01T00:00:00.000Z' }, price]);
    expect(await prices.list()).toEqual([price, { ...price, effectiveFrom: '2026-02-01T00:00:00.000Z' }]);
  });

  it('of budgets know whose subject is the team’s', async () => {
    const budgets = new BudgetRepository(database);
    const make = ([scope, subjectId]: readonly ['team' | 'project' | 'session' | 'user', string]) =>
      budgets.create({
        teamId: world.team.id,
        scope,
        subjectId,
        period: 'total',
        kind: 'warning',
        limitUsd: '1',
        createdById: world.owner.id,
      });
    const subjects = (of: typeof world) =>
      [
        ['team', of.team.id],
        ['project', of.project.id],
        ['session', of.session.id],
        ['user', of.owner.id],
      ] as const;
    for (const subject of subjects(other)) expect(await make(subject)).toBe('no_subject');
    for (const subject of subjects(world)) {
      const made = await make(subject);
      expect(await make(subject)).toBe('exists');
      const { id } = made as { id: string };
      expect([await budgets.remove(id), await budgets.remove(id)]).toEqual([true, false]);
    }
  });
});
