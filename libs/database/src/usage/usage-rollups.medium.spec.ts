import type { UsageGroup, UsageReport } from '@chirality/contracts';
import { newId, normalizeMoney, sumMoney, unitsToMoney } from '@chirality/domain';
import {
  buildProject,
  buildSession,
  buildTurn,
  buildUser,
  buildWorld,
  Random,
  seedFrom,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { reportUsage } from './usage-report';
import { reportUsageSeries } from './usage-series';
import { UsageRepository, type UsageEntry } from './usage.repository';

const GROUPS = [
  'user',
  'project',
  'persona',
  'model',
  'session',
  'turn',
  'day',
  'week',
  'month',
] as const satisfies UsageGroup[];
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'];
const START = Date.parse('2026-03-20T00:00:00.000Z');
const SPAN_MS = 30 * 86_400_000;

jest.setTimeout(120_000);

describe('reports of usage', () => {
  let database: TestDatabase;
  let usage: UsageRepository;
  const random = new Random(seedFrom('CHIRALITY_TEST_SEED'));

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 8 });
    usage = new UsageRepository(database);
  }, 60_000);
  afterAll(() => database.close());

  const moment = () => new Date(START + random.below(SPAN_MS));

  /** A team with three people, two projects, three sessions and twelve turns, and what makes messages of them. */
  async function buildTeamAtWork() {
    const world = await buildWorld(database.pool);
    const teamId = world.team.id;
    const people = [
      world.owner,
      await buildUser(database.pool, { teamId, name: 'Second' }),
      await buildUser(database.pool, { teamId, name: 'Third' }),
    ];
    const second = await buildProject(database.pool, { teamId, createdById: world.owner.id, name: 'Second' });
    const sessions = [world.session];
    for (const [index, projectId] of [world.project.id, second.id].entries())
      sessions.push(
        await buildSession(database.pool, { teamId, projectId, ownerId: (people[index] ?? world.owner).id }),
      );
    const turns = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const session = random.pick(sessions);
        const author = random.pick(people);
        const turn = await buildTurn(database.pool, { session, authorId: author.id, status: 'completed' });
        return { id: turn.id, session, author, persona: random.chance(0.5) ? 'reviewer' : null };
      }),
    );
    const entry = (): UsageEntry => {
      const turn = random.pick(turns);
      return {
        id: newId('usage'),
        teamId,
        projectId: turn.session.projectId,
        sessionId: turn.session.id,
        turnId: turn.id,
        attempt: 1,
        userId: turn.author.id,
        persona: turn.persona,
        model: random.pick(['claude-a', 'claude-b']),
        apiMessageId: null,
        inputTokens: random.below(1_000),
        outputTokens: 1 + random.below(1_000),
        cacheReadTokens: random.below(9),
        cacheWrite5mTokens: random.below(9),
        cacheWrite1hTokens: random.below(9),
        webSearches: 0,
        costUsd: random.chance(0.1) ? null : unitsToMoney(BigInt(random.below(1_000_000_000))),
        source: 'gateway',
        demo: random.chance(0.2),
        complete: false,
        at: moment(),
      };
    };
    return { teamId, readerId: world.owner.id, projectId: second.id, entry };
  }

  const KEYS: Record<UsageGroup, string> = {
    user: 'user_id',
    project: 'project_id',
    persona: `coalesce(persona, '')`,
    model: 'model',
    session: 'session_id',
    turn: 'turn_id',
    day: `to_char(date_trunc('day', at AT TIME ZONE $2), 'YYYY-MM-DD')`,
    week: `to_char(date_trunc('week', at AT TIME ZONE $2), 'YYYY-MM-DD')`,
    month: `to_char(date_trunc('month', at AT TIME ZONE $2), 'YYYY-MM')`,
  };

  /** The same read from the rows alone. A turn is counted by its first row. */
  async function plainSums(
    groupBy: UsageGroup,
    teamId: string,
    timezone: string,
    from: Date | null,
    to: Date | null,
    projectId?: string,
  ) {
    const counted =
      groupBy === 'turn' ? '1' : `count(*) FILTER (WHERE ${groupBy === 'model' ? 'first_of_model' : 'first_of_turn'})`;
    const { rows } = await database.pool.query(
      `SELECT ${KEYS[groupBy]} AS key, demo, ${counted}::int AS turns, coalesce(sum(cost_usd), 0)::text AS cost, count(*) FILTER (WHERE cost_usd IS NULL)::int AS unpriced,
         sum(input_tokens)::int AS input, sum(output_tokens)::int AS output, sum(cache_read_tokens)::int AS "cacheRead", sum(cache_write_5m_tokens + cache_write_1h_tokens)::int AS "cacheWrite"
       FROM usage_record WHERE team_id = $1 AND $2::text IS NOT NULL AND ($3::timestamptz IS NULL OR at >= $3) AND ($4::timestamptz IS NULL OR at < $4) AND ($5::text IS NULL OR project_id = $5) GROUP BY 1, 2`,
      [teamId, timezone, from, to, projectId ?? null],
    );
    return rows
      .map((row: Record<string, unknown>) => ({ ...row, cost: normalizeMoney(String(row['cost'])) }))
      .sort(byKey);
  }

  const byKey = (a: Record<string, unknown>, b: Record<string, unknown>) =>
    `${a['key']} ${a['demo']}` < `${b['key']} ${b['demo']}` ? -1 : 1;
  const sumsOf = ({ data }: Pick<UsageReport, 'data'>) =>
    data
      .map(({ key, demo, turns, usage: used, costUsd, unpricedMessages: unpriced }) => ({
        key,
        demo,
        turns,
        cost: costUsd ?? '0',
        unpriced,
        input: used.inputTokens,
        output: used.outputTokens,
        cacheRead: used.cacheReadTokens,
        cacheWrite: used.cacheWriteTokens,
      }))
      .sort(byKey);

  async function allPages(
    request: Parameters<typeof reportUsage>[1],
  ): Promise<{ data: UsageReport['data']; totals: Set<string> }> {
    const data: UsageReport['data'] = [];
    const totals = new Set<string>();
    for (let cursor: string | undefined; ;) {
      const page = await reportUsage(database.pool, { ...request, limit: 5, ...(cursor !== undefined && { cursor }) });
      data.push(...page.data);
      totals.add(JSON.stringify([page.totalUsd, page.totalTurns, page.unpricedMessages]));
      if (page.nextCursor === null) return { data, totals };
      cursor = page.nextCursor;
    }
  }

  test.each(GROUPS)(
    'by %s of a range that is empty, or ends before it begins, have nothing in them',
    async (groupBy) => {
      const { team, owner } = await buildWorld(database.pool);
      const [earlier, later] = [new Date(START), new Date(START + SPAN_MS)];
      for (const [from, to] of [
        [earlier, earlier],
        [later, earlier],
      ] as const) {
        const request = { teamId: team.id, readerId: owner.id, groupBy, timezone: 'Europe/Berlin', from, to, limit: 5 };
        expect(await reportUsage(database.pool, request)).toMatchObject({
          data: [],
          totalUsd: '0',
          totalTurns: 0,
          nextCursor: null,
        });
      }
    },
  );

  test('equal the plain sum of the rows, whatever is stored, corrected and removed, in every group, zone and range, page by page', async () => {
    const { teamId, readerId, projectId, entry } = await buildTeamAtWork();
    const other = await buildTeamAtWork();
    const entries = Array.from({ length: 150 }, entry);
    await Promise.all([...entries, ...Array.from({ length: 10 }, other.entry)].map((one) => usage.recordUsage(one)));
    for (const one of entries)
      if (random.chance(0.6))
        await usage.recordUsage({
          ...one,
          outputTokens: one.outputTokens + 5,
          costUsd: one.costUsd ?? '0.5',
          complete: random.chance(0.8),
        });
    // Corrections by hand: the price of some, the time of one, and one that should not be there.
    await database.pool.query(
      `UPDATE usage_record SET cost_usd = cost_usd * 2 WHERE team_id = $1 AND model = 'claude-a'`,
      [teamId],
    );
    await database.pool.query(`UPDATE usage_record SET at = at + interval '3 days' WHERE id = $1`, [entries[0]?.id]);
    await database.pool.query(
      `DELETE FROM usage_record WHERE id = (SELECT id FROM usage_record WHERE team_id = $1 AND NOT first_of_turn AND NOT first_of_model ORDER BY id LIMIT 1)`,
      [teamId],
    );

    for (let round = 0; round < 40; round += 1) {
      const [a, b] = [moment(), moment()].sort((x, y) => x.getTime() - y.getTime()) as [Date, Date];
      const range = { from: random.chance(0.3) ? null : a, to: random.chance(0.3) ? null : b };
      const [groupBy, timezone] = [GROUPS[round % GROUPS.length] ?? 'day', random.pick(ZONES)];
      const project = random.chance(0.2) ? projectId : undefined;
      const { data, totals } = await allPages({
        teamId,
        readerId,
        groupBy,
        timezone,
        ...range,
        ...(project !== undefined && { projectId: project }),
      });
      expect({ seed: random.seed, groupBy, timezone, range, rows: sumsOf({ data }) }).toEqual({
        seed: random.seed,
        groupBy,
        timezone,
        range,
        rows: await plainSums(groupBy, teamId, timezone, range.from, range.to, project),
      });
      expect(totals.size).toBe(1);
    }
  });

  test.each(['user', 'project', 'model'] as const)(
    'equal what a chart by %s shows, by its periods and by its series',
    async (stackBy) => {
      const { teamId, readerId, projectId, entry } = await buildTeamAtWork();
      for (let count = 0; count < 60; count += 1) await usage.recordUsage(entry());
      const sums = (rows: { key: string; cost: string }[]) => rows.filter(({ cost }) => cost !== '0').sort(byKey);
      for (let round = 0; round < 15; round += 1) {
        const [a, b] = [moment(), moment()];
        const request = {
          teamId,
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

  test('show those beyond the seventh as one in a chart, and years by the month', async () => {
    const { teamId, entry } = await buildTeamAtWork();
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

  test('begin a chart without a beginning with the first usage that is shown in it', async () => {
    const { teamId, entry } = await buildTeamAtWork();
    const [mine, theirs] = [entry(), entry()];
    const other = await buildUser(database.pool, { teamId });
    const at = (day: number) => new Date(START + day * 86_400_000);
    await usage.recordUsage({ ...theirs, userId: other.id, demo: false, costUsd: '1', at: at(0) });
    await usage.recordUsage({ ...mine, demo: true, costUsd: '1', at: at(1) });
    await usage.recordUsage({ ...mine, id: newId('usage'), demo: false, costUsd: '1', at: at(3) });
    const range = { teamId, timezone: 'UTC', from: null, to: null, now: at(4) };
    const days = async (userId?: string) => {
      const shown = { ...range, stackBy: 'user' as const, ...(userId !== undefined && { userId }) };
      return (await reportUsageSeries(database.pool, shown)).periods.map(({ key }) => key);
    };
    expect(await days()).toEqual(['2026-03-20', '2026-03-21', '2026-03-22', '2026-03-23']);
    expect(await days(mine.userId)).toEqual(['2026-03-23']);
    expect(await days('user_of_nothing')).toEqual([]);
  });

  test('count a turn once in every group but that of its models, and add up to the turns there are', async () => {
    const { teamId, readerId, entry } = await buildTeamAtWork();
    const entries = Array.from({ length: 60 }, () => ({ ...entry(), demo: false }));
    await Promise.all(entries.map((one) => usage.recordUsage(one)));
    const turns = new Set(entries.map(({ turnId }) => turnId)).size;
    for (const groupBy of GROUPS) {
      const report = await reportUsage(database.pool, {
        teamId,
        readerId,
        groupBy,
        timezone: 'Europe/Berlin',
        from: null,
        to: null,
      });
      const counted = report.data.reduce((sum, row) => sum + row.turns, 0);
      expect({ groupBy, counted }).toEqual({
        groupBy,
        counted: groupBy === 'model' ? new Set(entries.map(({ turnId, model }) => `${turnId} ${model}`)).size : turns,
      });
    }
  });

  test('begin at the start for a cursor that is none', async () => {
    const { teamId, readerId, entry } = await buildTeamAtWork();
    await usage.recordUsage(entry());
    const read = (cursor?: string) =>
      reportUsage(database.pool, {
        teamId,
        readerId,
        groupBy: 'turn',
        timezone: 'UTC',
        from: null,
        to: null,
        ...(cursor !== undefined && { cursor }),
      });
    expect(await read('bm9uZQ')).toEqual(await read());
  });
});
