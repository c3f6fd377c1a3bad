import { newId, sumMoney } from '@chirality/domain';
import {
  buildProject,
  buildSession,
  buildTurn,
  buildUser,
  buildWorld,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { UsageRepository, type UsageEntry } from '../usage/usage.repository';
import { BudgetRepository } from './budget.repository';
import { BudgetSpendingRepository } from './budget-spending.repository';

jest.setTimeout(60_000);

describe('budgets', () => {
  let test: TestDatabase;
  let budgets: BudgetRepository;
  let spending: BudgetSpendingRepository;
  let usage: UsageRepository;

  beforeAll(async () => {
    test = await startTestDatabase();
    budgets = new BudgetRepository(test);
    spending = new BudgetSpendingRepository(test);
    usage = new UsageRepository(test);
  });
  afterAll(() => test.close());

  async function world() {
    const made = await buildWorld(test.pool);
    const turn = await buildTurn(test.pool, { session: made.session, authorId: made.owner.id, status: 'running' });
    const spender = {
      teamId: made.team.id,
      projectId: made.project.id,
      sessionId: made.session.id,
      userId: made.owner.id,
    };
    return { ...made, turn, spender };
  }
  type World = Awaited<ReturnType<typeof world>>;

  const create = async (
    of: World,
    budget: {
      scope?: 'team' | 'project' | 'session' | 'user';
      subjectId?: string;
      period?: 'day' | 'week' | 'month' | 'total';
      kind?: 'hard' | 'warning';
      limitUsd: string;
    },
  ) => {
    const made = await budgets.create({
      teamId: of.team.id,
      createdById: of.owner.id,
      scope: 'team',
      subjectId: of.team.id,
      period: 'month',
      kind: 'hard',
      ...budget,
    });
    if (typeof made === 'string') throw new Error(made);
    return made.id;
  };
  const entry = (of: World, costUsd: string, more: Partial<UsageEntry> = {}): UsageEntry => ({
    id: newId('usage'),
    ...of.spender,
    turnId: of.turn.id,
    attempt: 1,
    persona: null,
    model: 'm',
    apiMessageId: null,
    inputTokens: 1,
    outputTokens: 1,
    cacheReadTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    webSearches: 0,
    costUsd,
    source: 'gateway',
    demo: false,
    complete: true,
    at: new Date(),
    ...more,
  });
  const reserve = async (of: World, most: string, { turnId = of.turn.id, least = most, patient = false } = {}) =>
    spending.reserve({ ...of.spender, turnId }, () => ({ mostUsd: most, leastUsd: least }), patient);
  const spent = async (of: World) => (await budgets.list(of.team.id)).map(({ spentUsd }) => spentUsd);

  it('show exactly what the rows of usage add up to, also those from before they were made', async () => {
    const one = await world();
    await usage.recordUsage(entry(one, '0.1'));
    await usage.recordUsage(entry(one, '7', { demo: true }));
    await create(one, { limitUsd: '10' });
    expect(await spent(one)).toEqual(['0.1']);
    const begun = entry(one, '0.0000000001', { complete: false });
    await usage.recordUsage(begun);
    expect(await spent(one)).toEqual(['0.1000000001']);
    await usage.recordUsage({ ...begun, costUsd: '0.5', outputTokens: 9, complete: true });
    // Sent again because its answer was lost, and its first state that came late.
    await usage.recordUsage({ ...begun, costUsd: '0.5', outputTokens: 9, complete: true });
    await usage.recordUsage(begun);
    expect(await spent(one)).toEqual(['0.6']);
  });

  it('lose and double nothing while they are made and looked at as usage comes in', async () => {
    const one = await world();
    const costs = Array.from({ length: 30 }, (_, n) => `0.00000${n + 10}`);
    const work: Promise<unknown>[] = costs.map((cost) => usage.recordUsage(entry(one, cost)));
    work.push(
      create(one, { limitUsd: '1' }).then(() => spent(one)),
      create(one, { scope: 'user', subjectId: one.owner.id, period: 'day', limitUsd: '1' }).then(() => spent(one)),
    );
    for (let n = 0; n < 5; n += 1) work.push(spent(one));
    await Promise.all(work);
    expect(await spent(one)).toEqual([sumMoney(costs), sumMoney(costs)]);
  });

  it('bind the people they are about and no others', async () => {
    const one = await world();
    const other = await buildUser(test.pool, { teamId: one.team.id });
    const project = await buildProject(test.pool, { teamId: one.team.id, createdById: other.id });
    const session = await buildSession(test.pool, { teamId: one.team.id, projectId: project.id, ownerId: other.id });
    const elsewhere = { ...one.spender, projectId: project.id, sessionId: session.id, userId: other.id };
    for (const [scope, subjectId] of [
      ['project', one.project.id],
      ['session', one.session.id],
      ['user', one.owner.id],
    ] as const) {
      const id = await create(one, { scope, subjectId, period: 'total', limitUsd: '0' });
      expect(await spending.findUsedUp(one.spender)).toMatchObject({ id, scope });
      expect(await spending.findUsedUp(elsewhere)).toBeNull();
      expect(await reserve(one, '0.1')).toMatchObject({ outcome: 'exceeded', budget: { id } });
      await budgets.remove(id);
    }
    expect(await spending.findUsedUp(one.spender)).toBeNull();
    expect(
      await budgets.create({
        teamId: one.team.id,
        scope: 'project',
        subjectId: (await world()).project.id,
        period: 'day',
        kind: 'hard',
        limitUsd: '1',
        createdById: one.owner.id,
      }),
    ).toBe('no_subject');
  });

  it('let requests side by side pass as far as they fit together, and again once they are over', async () => {
    const one = await world();
    await create(one, { limitUsd: '1' });
    await usage.recordUsage(entry(one, '0.1'));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => reserve(one, '0.25')));
    const reserved = outcomes.flatMap((outcome) => (outcome.outcome === 'reserved' ? [outcome.reservationId] : []));
    expect([reserved.length, outcomes.filter(({ outcome }) => outcome === 'exceeded').length]).toEqual([3, 7]);
    await spending.release(reserved[0] ?? '');
    expect(await reserve(one, '0.25')).toMatchObject({ outcome: 'reserved' });
    expect(await reserve(one, '0.15')).toMatchObject({ outcome: 'reserved' });
    expect(await reserve(one, '0.0000000001')).toMatchObject({ outcome: 'exceeded' });
  });

  it('grant what is left to one request, however many ask for it at once', async () => {
    const one = await world();
    await create(one, { limitUsd: '9' });
    const tight = await create(one, { scope: 'session', subjectId: one.session.id, period: 'total', limitUsd: '1' });
    await usage.recordUsage(entry(one, '0.7000000001'));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => reserve(one, '0.5', { least: '0.01' })));
    const granted = outcomes.flatMap((outcome) => (outcome.outcome === 'reserved' ? [outcome] : []));
    expect(granted.map(({ amountUsd }) => amountUsd)).toEqual(['0.2999999999']);
    expect(outcomes.filter(({ outcome }) => outcome === 'exceeded')).toHaveLength(9);
    expect(await reserve(one, '0.5', { least: '0.01', patient: true })).toEqual({ outcome: 'wait' });
    expect(await reserve(one, '0.5', { least: '0.3', patient: true })).toMatchObject({
      outcome: 'exceeded',
      budget: { id: tight },
    });
    await usage.recordUsage(entry(one, '0.1'));
    await spending.release(granted[0]?.reservationId ?? '');
    expect(await reserve(one, '0.5', { least: '0.01', patient: true })).toMatchObject({
      outcome: 'reserved',
      amountUsd: '0.1999999999',
    });
  });

  it('count nothing of a turn that is over, even when it was never released', async () => {
    const one = await world();
    await create(one, { limitUsd: '1' });
    expect(await reserve(one, '0.9')).toMatchObject({ outcome: 'reserved' });
    expect(await reserve(one, '0.9')).toMatchObject({ outcome: 'exceeded' });
    await test.pool.query(
      `UPDATE turn SET status = 'lost', active_session_id = NULL, message_cipher = NULL, ended_at = now()
        WHERE id = $1`,
      [one.turn.id],
    );
    const next = await buildTurn(test.pool, { session: one.session, authorId: one.owner.id, status: 'running' });
    expect(await reserve(one, '0.9', { turnId: next.id })).toMatchObject({ outcome: 'reserved' });
  });

  it('that only warn refuse nothing; nothing is reserved where none binds', async () => {
    const one = await world();
    const most = jest.fn(() => ({ mostUsd: '5', leastUsd: '5' }));
    expect(await spending.reserve({ ...one.spender, turnId: one.turn.id }, most, true)).toEqual({ outcome: 'unbound' });
    await create(one, { kind: 'warning', limitUsd: '0.01' });
    await usage.recordUsage(entry(one, '1'));
    expect(await spending.reserve({ ...one.spender, turnId: one.turn.id }, most, true)).toEqual({ outcome: 'unbound' });
    expect(await spending.findUsedUp(one.spender)).toBeNull();
    expect(most).not.toHaveBeenCalled();
  });

  it('notify people at 50, 80 and 100 percent, once each, and again after the limit was changed', async () => {
    const one = await world();
    const budgetId = await create(one, { kind: 'warning', limitUsd: '1' });
    await spent(one);
    const told = async (cost: string) =>
      (await usage.recordUsage(entry(one, cost))).map(({ percent, spentUsd }) => [percent, spentUsd]);
    expect(await told('0.49')).toEqual([]);
    expect(await told('0.01')).toEqual([[50, '0.5']]);
    expect(await told('0.2')).toEqual([]);
    expect(await told('0.5')).toEqual([[100, '1.2']]);
    expect(await told('1')).toEqual([]);
    await budgets.setLimit(budgetId, '4');
    expect(await told('0.1')).toEqual([[50, '2.3']]);
    const again = entry(one, '1');
    expect(await usage.recordUsage(again)).toMatchObject([{ budgetId, percent: 80, limitUsd: '4' }]);
    expect(await usage.recordUsage(again)).toEqual([]);
  });

  it('restart with each day of the team’s time zone', async () => {
    const one = await world();
    await test.pool.query(`UPDATE team SET timezone = 'Pacific/Kiritimati' WHERE id = $1`, [one.team.id]);
    await create(one, { period: 'day', limitUsd: '1' });
    await create(one, { period: 'total', limitUsd: '1' });
    const [day, total] = await budgets.list(one.team.id);
    const since = new Date(day?.since ?? '');
    expect(since.toLocaleTimeString('en-GB', { timeZone: 'Pacific/Kiritimati' })).toBe('00:00:00');
    expect(Date.now() - since.getTime()).toBeLessThan(24 * 3_600_000);
    expect(total?.since).toBeNull();
    await usage.recordUsage(entry(one, '0.5', { at: new Date(since.getTime() - 1) }));
    await usage.recordUsage(entry(one, '0.25', { at: since }));
    expect(await spent(one)).toEqual(['0.25', '0.75']);
  });
});
