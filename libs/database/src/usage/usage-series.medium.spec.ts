import type { UsageGroup, UsageReport } from '@chirality/contracts';
import { newId, sumMoney } from '@chirality/domain';
import { buildUser, Random, seedFrom, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { buildTeamAtWork, momentOf, SPAN_MS, START, ZONES } from '../../test/team-at-work';
import { reportUsage } from './usage-report';
import { reportUsageSeries } from './usage-series';
import { UsageRepository } from './usage.repository';

jest.setTimeout(120_000);

describe('a chart of usage', () => {
  let database: TestDatabase;
  let usage: UsageRepository;
  const random = new Random(seedFrom('CHIRALITY_TEST_SEED'));

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 8 });
    usage = new UsageRepository(database);
  }, 60_000);
  afterAll(() => database.close());

  test.each(['user', 'project', 'model'] as const)(
    'by %s shows what a report shows, by its periods and by its series',
    async (stackBy) => {
      const { teamId, readerId, projectId, entry } = await buildTeamAtWork(database.pool, random);
      for (let count = 0; count < 60; count += 1) await usage.recordUsage(entry());
      const sums = (rows: { key: string; cost: string }[]) =>
        rows.filter(({ cost }) => cost !== '0').sort((one, other) => (one.key < other.key ? -1 : 1));
      for (let round = 0; round < 15; round += 1) {
        const [a, b] = [momentOf(random), momentOf(random)];
        const request = {
          teamId,
          readerId,
          timezone: random.pick(ZONES),
          from: random.chance(0.2) ? null : new Date(Math.min(a.getTime(), b.getTime())),
          to: random.chance(0.2) ? null : new Date(Math.max(a.getTime(), b.getTime())),
          ...(random.chance(0.3) && { userId: readerId }),
          ...(random.chance(0.3) && { projectId }),
        };
        const chart = await reportUsageSeries(database.pool, {
          ...request,
          stackBy,
          now: new Date(START + 2 * SPAN_MS),
        });
        const report = (groupBy: UsageGroup) => reportUsage(database.pool, { ...request, groupBy, readerId });
        const charged = ({ data }: UsageReport) =>
          data.filter(({ demo }) => !demo).map(({ key, costUsd }) => ({ key, cost: costUsd ?? '0' }));
        const periods = chart.periods.map(({ key, costs }) => ({ key, cost: sumMoney(costs) }));
        const byPeriod = await report(chart.interval);
        expect(sums(periods)).toEqual(sums(charged(byPeriod)));
        expect(sums(chart.series.map(({ key, costUsd }) => ({ key: key ?? 'others', cost: costUsd })))).toEqual(
          sums(charged(await report(stackBy))),
        );
        expect(chart.periods.reduce((sum, { unpricedMessages }) => sum + unpricedMessages, 0)).toBe(
          byPeriod.unpricedMessages,
        );
      }
    },
  );

  test('shows those beyond the seventh as one, and years by the month', async () => {
    const { teamId, entry } = await buildTeamAtWork(database.pool, random);
    for (let model = 0; model < 9; model += 1)
      await usage.recordUsage({
        ...entry(),
        model: `claude-${model}`,
        costUsd: String(9 - model),
        demo: false,
        at: new Date(START + model * 20 * 86_400_000),
      });
    const chart = await reportUsageSeries(database.pool, {
      teamId,
      readerId: 'user_none',
      stackBy: 'model',
      timezone: 'UTC',
      from: new Date(0),
      to: null,
      now: new Date('2026-10-01T00:00:00Z'),
    });
    expect(chart.series.map(({ label, costUsd }) => `${label} ${costUsd}`)).toEqual([
      'claude-0 9',
      'claude-1 8',
      'claude-2 7',
      'claude-3 6',
      'claude-4 5',
      'claude-5 4',
      'claude-6 3',
      'Others 3',
    ]);
    expect(chart.interval).toBe('month');
    expect(chart.periods.map(({ key }) => key)).toEqual([
      '2026-03',
      '2026-04',
      '2026-05',
      '2026-06',
      '2026-07',
      '2026-08',
      '2026-09',
    ]);
  });

  test('without a beginning begins with the first usage that is shown in it', async () => {
    const { teamId, entry } = await buildTeamAtWork(database.pool, random);
    const [mine, theirs] = [entry(), entry()];
    const other = await buildUser(database.pool, { teamId });
    const at = (day: number) => new Date(START + day * 86_400_000);
    await usage.recordUsage({ ...theirs, userId: other.id, demo: false, costUsd: '1', at: at(0) });
    await usage.recordUsage({ ...mine, demo: true, costUsd: '1', at: at(1) });
    await usage.recordUsage({ ...mine, id: newId('usage'), demo: false, costUsd: '1', at: at(3) });
    const range = { teamId, readerId: 'user_none', timezone: 'UTC', from: null, to: null, now: at(4) };
    const days = async (userId?: string) => {
      const shown = { ...range, stackBy: 'user' as const, ...(userId !== undefined && { userId }) };
      return (await reportUsageSeries(database.pool, shown)).periods.map(({ key }) => key);
    };
    expect(await days()).toEqual(['2026-03-20', '2026-03-21', '2026-03-22', '2026-03-23']);
    expect(await days(mine.userId)).toEqual(['2026-03-23']);
    expect(await days('user_of_nothing')).toEqual([]);
  });
});
