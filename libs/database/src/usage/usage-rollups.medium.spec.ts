import type { UsageGroup, UsageReport } from '@chirality/contracts';
import { normalizeMoney } from '@chirality/domain';
import { buildWorld, Random, seedFrom, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { buildTeamAtWork, momentOf, SPAN_MS, START, ZONES } from '../../test/team-at-work';
import { reportUsage } from './usage-report';
import { UsageRepository } from './usage.repository';

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
    const { teamId, readerId, projectId, entry } = await buildTeamAtWork(database.pool, random);
    const other = await buildTeamAtWork(database.pool, random);
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
      const [a, b] = [momentOf(random), momentOf(random)].sort((x, y) => x.getTime() - y.getTime()) as [Date, Date];
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

  test('count a turn once in every group but that of its models, and add up to the turns there are', async () => {
    const { teamId, readerId, entry } = await buildTeamAtWork(database.pool, random);
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
    const { teamId, readerId, entry } = await buildTeamAtWork(database.pool, random);
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
