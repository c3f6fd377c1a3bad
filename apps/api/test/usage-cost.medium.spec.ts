import type { UsageReport, UsageSeries } from '@chirality/contracts';
import { UsageRepository, type UsageEntry } from '@chirality/database';
import { newId, sumMoney } from '@chirality/domain';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('counting the cost', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    member = await owner.invite((await owner.team()).id, 'member@example.org', 'member');
    const project = await owner.createProject('Payments');
    for (const [n, who] of [owner, member, member].entries()) {
      const session = await who.createSession(project.id, { title: `=Session ${n}` });
      const turn = await who.sendTurn(session.id);
      await new UsageRepository(api.worker.database).recordUsage(
        entry({ session, turnId: turn.id, userId: who.user.id, costUsd: `0.000000000${n + 1}`, demo: n === 2 }),
      );
    }
  });
  afterAll(() => api.stop());

  function entry({
    session,
    ...rest
  }: { session: { id: string; teamId: string; projectId: string } } & Pick<
    UsageEntry,
    'turnId' | 'userId' | 'costUsd' | 'demo'
  >): UsageEntry {
    return {
      id: newId('usage'),
      teamId: session.teamId,
      projectId: session.projectId,
      sessionId: session.id,
      attempt: 1,
      persona: null,
      model: 'claude-sonnet-4-5',
      apiMessageId: null,
      inputTokens: 10,
      outputTokens: 20,
      cacheReadTokens: 30,
      cacheWrite5mTokens: 40,
      cacheWrite1hTokens: 2,
      webSearches: 0,
      source: 'gateway',
      complete: true,
      at: new Date('2026-03-01T23:30:00Z'),
      ...rest,
    };
  }

  const report = async (who: ApiClient, query: string) =>
    (await who.get(`/v1/usage?${query}`).expect(200)).body as UsageReport;

  it('adds up to the last digit, whatever it is grouped by, with the demo apart', async () => {
    for (const groupBy of ['user', 'project', 'persona', 'model', 'session', 'turn', 'day', 'week', 'month']) {
      const { data, totalUsd } = await report(owner, `groupBy=${groupBy}`);
      expect([groupBy, totalUsd]).toEqual([groupBy, '0.0000000003']);
      expect(sumMoney(data.filter(({ demo }) => !demo).map(({ costUsd }) => costUsd ?? 'unknown'))).toBe(totalUsd);
      expect(data.filter(({ demo }) => demo)).toMatchObject([{ costUsd: '0.0000000003', turns: 1 }]);
    }
  });

  it('comes in pages by turn and by session, with the total of all pages on each', async () => {
    for (const groupBy of ['turn', 'session']) {
      const keys: string[] = [];
      for (let cursor = ''; ;) {
        const page = await report(owner, `groupBy=${groupBy}&limit=1${cursor}`);
        expect([page.data.length, page.totalUsd, page.totalTurns]).toEqual([1, '0.0000000003', 2]);
        keys.push(...page.data.map(({ key }) => key));
        if (page.nextCursor === null) break;
        cursor = `&cursor=${page.nextCursor}`;
      }
      expect(keys).toEqual((await report(owner, `groupBy=${groupBy}`)).data.map(({ key }) => key));
      expect(new Set(keys).size).toBe(3);
    }
  });

  it('is of one project where that is asked for; one that is not the team’s is as empty as one that is not there', async () => {
    const [row] = (await report(owner, 'groupBy=project')).data;
    expect((await report(owner, `projectId=${row?.key}`)).totalUsd).toBe('0.0000000003');
    expect(await report(owner, 'projectId=proj_unknown')).toEqual({
      data: [],
      totalUsd: '0',
      totalTurns: 0,
      unpricedMessages: 0,
      nextCursor: null,
    });
  });

  it('groups days in the zone that is asked for', async () => {
    expect((await report(owner, 'groupBy=day&timezone=UTC')).data[0]?.key).toBe('2026-03-01');
    expect((await report(owner, 'groupBy=day&timezone=Europe/Berlin')).data[0]?.key).toBe('2026-03-02');
    await owner.get('/v1/usage?timezone=Nowhere/Land').expect(400);
    expect((await report(owner, 'from=2026-03-02T00:00:00Z')).data).toEqual([]);
    expect((await report(owner, 'from=2026-03-01T23:00:00%2B00:00&to=2026-03-02T00:00:00Z')).totalUsd).toBe(
      '0.0000000003',
    );
  });

  it('shows a member their own', async () => {
    const { data, totalUsd } = await report(member, 'groupBy=user');
    expect([totalUsd, new Set(data.map(({ key }) => key))]).toEqual(['0.0000000002', new Set([member.user.id])]);
  });

  it('is the same over time, for everyone as much as they may read', async () => {
    const series = async (who: ApiClient, query: string) =>
      (await who.get(`/v1/usage/series?${query}`).expect(200)).body as UsageSeries;
    const whole = await series(
      owner,
      'stackBy=user&timezone=Europe/Berlin&from=2026-03-01T00:00:00Z&to=2026-03-04T00:00:00Z',
    );
    expect(whole.interval).toBe('day');
    expect(whole.periods.map(({ key }) => key)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']);
    expect(sumMoney(whole.periods[1]?.costs ?? [])).toBe('0.0000000003');
    const own = await series(member, 'stackBy=user');
    expect(own.series.map(({ key, costUsd }) => [key, costUsd])).toEqual([[member.user.id, '0.0000000002']]);
    expect(await series(owner, 'projectId=proj_unknown&from=2026-03-02T00:00:00Z&to=2026-03-02T00:00:00Z')).toEqual({
      interval: 'day',
      series: [],
      periods: [],
    });
    await owner.get('/v1/usage/series?timezone=Nowhere/Land').expect(400);
    await owner.get('/v1/usage/series?stackBy=session').expect(400);
  });

  it('tells no one the title of another user’s private session', async () => {
    const titles = async (who: ApiClient) =>
      (await report(who, 'groupBy=session')).data.map(({ label }) => label).sort();
    expect(await titles(owner)).toEqual(['=Session 0', 'Private session', 'Private session']);
    expect(await titles(member)).toEqual(['=Session 1', '=Session 2']);
  });

  it.each([
    ['a negative price', { input: '-5' }],
    ['a price that makes no cost that can be stored', { output: '99999999999999' }],
    ['a price of endless digits', { cacheRead: '1'.repeat(3_000) }],
    ['a model without a name', { model: ' ' }],
    ['a model with an endless name', { model: 'm'.repeat(201) }],
    ['a date that is none', { effectiveFrom: '0000-01-01T00:00:00.000Z' }],
  ])('takes no price list with %s', async (_what, wrong) => {
    const before = (await owner.get('/v1/prices').expect(200)).body as object;
    const price = {
      model: 'made-up',
      effectiveFrom: '2026-01-01T00:00:00.000Z',
      input: '1',
      output: '2',
      cacheRead: '0.1',
      cacheWrite5m: '1.25',
      cacheWrite1h: '2',
      webSearch: '0.01',
    };
    expect((await owner.put('/v1/prices', { prices: [price, { ...price, ...wrong }] })).body).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    expect((await owner.get('/v1/prices').expect(200)).body).toEqual(before);
  });

  it('can be had as CSV', async () => {
    const { text, headers } = await owner.get('/v1/usage?groupBy=session&format=csv').expect(200);
    expect(headers['content-type']).toContain('text/csv');
    expect(text.split('\r\n')).toHaveLength(5);
    expect(text).toContain(`,'=Session 0,1,10,20,30,42,0.0000000001,false,0`);
  });
});
