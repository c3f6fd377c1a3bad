import type { UsageGroup } from '@chirality/contracts';
import { addMoney, moneyToUnits, newId, normalizeMoney, sumMoney, unitsToMoney } from '@chirality/domain';
import {
  buildProject,
  buildSession,
  buildTurn,
  buildUser,
  buildWorker,
  buildWorld,
  flakyPool,
  Random,
  seedFrom,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import type { Tx } from '../connection/database';
import { EventLogWriter } from '../event/event-log-writer';
import { SessionRepository } from '../session/session.repository';
import { TurnSettlementRepository } from '../turn/turn-settlement.repository';
import { TurnRepository } from '../turn/turn.repository';
import { isTimezone, reportUsage } from './usage-report';
import { UsageRepository, type UsageEntry } from './usage.repository';

describe('usage', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let turn: { id: string };
  let usage: UsageRepository;
  let log: EventLogWriter;

  const entry = (fields: Partial<UsageEntry> = {}): UsageEntry => ({
    id: newId('usage'),
    teamId: world.team.id,
    projectId: world.project.id,
    sessionId: world.session.id,
    turnId: turn.id,
    attempt: 1,
    userId: world.owner.id,
    persona: null,
    model: 'claude-test',
    apiMessageId: 'msg_1',
    inputTokens: 3,
    outputTokens: 550,
    cacheReadTokens: 7,
    cacheWrite5mTokens: 12_304,
    cacheWrite1hTokens: 1,
    webSearches: 0,
    costUsd: '0.0001',
    source: 'gateway',
    demo: false,
    complete: true,
    at: new Date('2026-03-29T12:00:00.000Z'),
    ...fields,
  });
  const sumOf = (rows: readonly { costUsd: string | null }[]) =>
    sumMoney(rows.map(({ costUsd }) => costUsd ?? 'unknown'));
  const sumOfRows = async () => {
    const { rows } = await database.pool.query(
      'SELECT sum(cost_usd) AS cost, count(*)::int AS messages, sum(input_tokens)::int AS input, sum(output_tokens)::int AS output FROM usage_record WHERE turn_id = $1',
      [turn.id],
    );
    const { cost, messages, input, output } = rows[0] as Record<string, string | number>;
    return { costUsd: normalizeMoney(String(cost)), messages, input, output };
  };
  const report = (
    groupBy: UsageGroup,
    {
      from,
      to,
      ...fields
    }: Partial<Record<'from' | 'to' | 'timezone' | 'userId' | 'cursor', string>> & {
      limit?: number;
    } = {},
  ) =>
    reportUsage(database.pool, {
      teamId: world.team.id,
      groupBy,
      from: from ? new Date(from) : null,
      to: to ? new Date(to) : null,
      timezone: 'UTC',
      readerId: world.owner.id,
      ...fields,
    });

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    world = await buildWorld(database.pool);
    const worker = await buildWorker(database.pool);
    turn = await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
    usage = new UsageRepository(database);
    log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
  });
  afterEach(() => log.close());

  test('a report adds up also while usage is being stored', async () => {
    await usage.recordUsage(entry({ costUsd: '0.1' }));
    const query = async (text: string, values: unknown[]) => {
      const answer: unknown = await database.pool.query(text, values);
      await usage.recordUsage(entry({ costUsd: '0.7' }));
      return answer;
    };
    const { data, totalUsd } = await reportUsage({ query } as unknown as Tx, {
      teamId: world.team.id,
      groupBy: 'model',
      from: null,
      to: null,
      timezone: 'UTC',
      readerId: world.owner.id,
    });
    expect(sumOf(data)).toBe(totalUsd);
  });

  test('sums are exact to the last digit in every view', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      entry({ costUsd: index < 9_997 ? '0.0001' : '0.1', inputTokens: 1 }),
    );
    await database.pool.query(
      `INSERT INTO usage_record (id, team_id, project_id, session_id, turn_id, attempt, user_id, model, input_tokens,
        output_tokens, cache_read_tokens,
         cache_write_5m_tokens, cache_write_1h_tokens, cost_usd, source, complete, at, first_of_turn, first_of_model)
       SELECT id, $2, $3, $4, $5, 1, $6, 'claude-test', 1, 0, 0, 0, 0, cost::numeric, 'gateway', true, now(),
         place = 1, place = 1 FROM unnest($1::text[], $7::text[]) WITH ORDINALITY AS e(id, cost, place)`,
      [
        many.map(({ id }) => id),
        world.team.id,
        world.project.id,
        world.session.id,
        turn.id,
        world.owner.id,
        many.map(({ costUsd }) => costUsd),
      ],
    );
    await usage.recordUsage(entry({ costUsd: '0.0003000001' }));
    const exact = '1.3000000001';
    expect(await sumOfRows()).toMatchObject({ costUsd: exact, messages: 10_001, input: 10_003 });
    expect(await new TurnRepository(database).find(world.session.id, turn.id)).toMatchObject({
      costUsd: exact,
      usage: { inputTokens: 10_003, cacheWriteTokens: 12_305 },
    });
    expect(await new SessionRepository(database, log).find(world.session.id)).toMatchObject({ costUsd: exact });
    expect(await report('user')).toMatchObject({
      totalUsd: exact,
      data: [{ key: world.owner.id, label: 'Owner', turns: 1, costUsd: exact }],
    });
  });

  test('a message is paid for once, however often and in whatever order its states arrive', async () => {
    const begun = entry({ id: 'usage_1', outputTokens: 1, costUsd: '0.1', complete: false });
    const finished = { ...begun, outputTokens: 300, costUsd: '0.4', complete: true };
    await usage.recordUsage(begun);
    await usage.recordUsage(begun);
    await usage.recordUsage(finished);
    await usage.recordUsage(finished);
    await usage.recordUsage(begun);
    expect(await sumOfRows()).toMatchObject({ costUsd: '0.4', messages: 1, output: 300 });
    const cut = entry({ id: 'usage_2', outputTokens: 20, costUsd: '0.2', complete: false });
    await usage.recordUsage(cut);
    await usage.recordUsage({ ...cut, outputTokens: 1, costUsd: '0.01' });
    expect(await new TurnRepository(database).find(world.session.id, turn.id)).toMatchObject({
      costUsd: '0.6',
      usage: { outputTokens: 320 },
    });
  });

  test('messages of one turn that end at once, over a network that fails, leave the turn at the sum of its rows', async () => {
    const seed = seedFrom('CHIRALITY_TEST_SEED');
    const random = new Random(seed);
    const pool = flakyPool(database.pool, () =>
      random.chance(0.1) ? random.pick(['lost-before', 'lost-after', 'still-running'] as const) : 'ok',
    );
    const flaky = new UsageRepository({ pool });
    const entries = Array.from({ length: 40 }, (_, index) =>
      entry({ costUsd: unitsToMoney(BigInt(index) * 3_333_333n), outputTokens: index }),
    );
    const stored = async (one: UsageEntry) => {
      for (;;)
        if (
          await flaky.recordUsage(one).then(
            () => true,
            () => false,
          )
        )
          return;
    };
    await Promise.all(
      entries.map(async (one) => {
        await stored({ ...one, complete: false, costUsd: '0' });
        await stored(one);
      }),
    );
    // Statements that were given up may still be at work.
    await database.pool.query('SELECT 1 FROM turn WHERE id = $1 FOR UPDATE', [turn.id]);
    await usage.recordUsage(entries[0] as UsageEntry);
    const expected = sumOf(entries);
    expect({
      seed,
      costUsd: (await new TurnRepository(database).find(world.session.id, turn.id))?.costUsd,
    }).toEqual({ seed, costUsd: expected });
    expect((await sumOfRows()).costUsd).toBe(expected);
  }, 60_000);

  test('the turn’s end carries the sum, and a message that ends later is still in every view', async () => {
    await usage.recordUsage(entry({ costUsd: '0.25' }));
    const settlements = new TurnSettlementRepository(database, log);
    const fence = BigInt(
      (await database.pool.query('SELECT fence FROM turn WHERE id = $1', [turn.id])).rows[0].fence as string,
    );
    const settled = await settlements.settle({
      sessionId: world.session.id,
      turnId: turn.id,
      cause: 'interrupt',
      attempt: 1,
      fence,
      fenced: true,
    });
    expect(settled).toMatchObject({
      events: [{ kind: 'turn:end', payload: { costUsd: '0.25', usage: { outputTokens: 550 } } }],
    });
    await usage.recordUsage(entry({ costUsd: '0.05' }));
    expect([
      (await new TurnRepository(database).find(world.session.id, turn.id))?.costUsd,
      (await report('turn')).totalUsd,
    ]).toEqual(['0.3', '0.3']);
  });

  test('what a message of a model without a price cost is unknown in every view, not nothing', async () => {
    const views = async () => {
      const { data, totalUsd, unpricedMessages } = await report('turn');
      return {
        turn: await new TurnRepository(database).find(world.session.id, turn.id),
        session: await new SessionRepository(database, log).find(world.session.id),
        row: data[0],
        total: { totalUsd, unpricedMessages },
      };
    };
    const unknown = { costUsd: null, unpricedMessages: 1 };
    const unpriced = entry({ costUsd: null });
    await usage.recordUsage({ ...unpriced, complete: false });
    await usage.recordUsage(unpriced);
    expect(await views()).toMatchObject({
      turn: unknown,
      session: unknown,
      row: unknown,
      total: { totalUsd: '0', unpricedMessages: 1 },
    });
    await usage.recordUsage(entry({ costUsd: '0.25' }));
    const atLeast = { costUsd: '0.25', unpricedMessages: 1 };
    expect(await views()).toMatchObject({
      turn: atLeast,
      session: atLeast,
      row: atLeast,
      total: { totalUsd: '0.25', unpricedMessages: 1 },
    });
    await usage.recordUsage({ ...unpriced, costUsd: '0.5' });
    const known = { costUsd: '0.75', unpricedMessages: 0 };
    expect(await views()).toMatchObject({
      turn: known,
      session: known,
      row: known,
      total: { totalUsd: '0.75', unpricedMessages: 0 },
    });
  });

  test('a turn whose answer was cut says that its cost is estimated', async () => {
    const cut = entry({ complete: false, estimated: true });
    await usage.recordUsage(cut);
    expect(await new TurnRepository(database).find(world.session.id, turn.id)).toMatchObject({ estimated: true });
    await usage.recordUsage({ ...cut, complete: true, estimated: false });
    expect(await new TurnRepository(database).find(world.session.id, turn.id)).toMatchObject({ estimated: false });
  });

  test('what the demo model would have cost is money of no turn and no session', async () => {
    await usage.recordUsage(entry({ costUsd: '99', demo: true }));
    await usage.recordUsage(entry({ costUsd: null, demo: true }));
    const nothing = { costUsd: '0', unpricedMessages: 0 };
    expect(await new TurnRepository(database).find(world.session.id, turn.id)).toMatchObject({
      ...nothing,
      usage: { outputTokens: 1_100 },
    });
    expect(await new SessionRepository(database, log).find(world.session.id)).toMatchObject(nothing);
  });

  test('every grouping adds up to the same total, and demo usage is apart', async () => {
    const colleague = await buildUser(database.pool, { teamId: world.team.id, name: 'Colleague' });
    const project = await buildProject(database.pool, {
      teamId: world.team.id,
      createdById: world.owner.id,
      name: 'Second',
    });
    const session = await buildSession(database.pool, {
      teamId: world.team.id,
      projectId: project.id,
      ownerId: colleague.id,
    });
    const other = await buildTurn(database.pool, { session, authorId: colleague.id });
    const foreign = await buildWorld(database.pool);
    await usage.recordUsage(entry({ costUsd: '0.1000000001' }));
    await usage.recordUsage(
      entry({
        costUsd: '0.2',
        userId: colleague.id,
        model: 'claude-other',
        persona: 'reviewer',
        at: new Date('2026-04-01T00:00:00.000Z'),
      }),
    );
    await usage.recordUsage(
      entry({ costUsd: '0.4', userId: colleague.id, projectId: project.id, sessionId: session.id, turnId: other.id }),
    );
    await usage.recordUsage(entry({ costUsd: '99', demo: true }));
    await usage.recordUsage(entry({ costUsd: '1000', teamId: foreign.team.id }));
    for (const groupBy of ['user', 'project', 'persona', 'model', 'session', 'turn', 'day', 'week', 'month'] as const) {
      const { data, totalUsd } = await report(groupBy);
      expect({ groupBy, totalUsd }).toEqual({ groupBy, totalUsd: '0.7000000001' });
      expect({ groupBy, sum: sumOf(data.filter(({ demo }) => !demo)) }).toEqual({ groupBy, sum: totalUsd });
      expect(data.filter(({ demo }) => demo).map(({ costUsd }) => costUsd)).toEqual(['99']);
    }
    expect((await report('project')).data.filter(({ demo }) => !demo)).toMatchObject([
      { label: 'Second', costUsd: '0.4' },
      { label: 'Project', costUsd: '0.3000000001' },
    ]);
    expect((await report('persona')).data.filter(({ demo }) => !demo)).toMatchObject([
      { key: '', label: 'No persona' },
      { key: 'reviewer' },
    ]);
    expect((await report('week')).data.map(({ key }) => key)).toEqual(['2026-03-23', '2026-03-23', '2026-03-30']);
    expect((await report('month')).data.map(({ key }) => key)).toEqual(['2026-03', '2026-03', '2026-04']);
    expect((await report('day', { userId: colleague.id })).totalUsd).toBe('0.6');
  });

  /** Midnights of the days around a change of the clocks, and the length of the day in between. */
  const zones = [
    { timezone: 'Asia/Kolkata', midnight: '2026-03-28T18:30:00.000Z', hours: 24 },
    { timezone: 'America/St_Johns', midnight: '2026-03-08T03:30:00.000Z', hours: 23 },
    { timezone: 'America/St_Johns', midnight: '2026-11-01T02:30:00.000Z', hours: 25 },
    { timezone: 'Europe/Berlin', midnight: '2026-03-28T23:00:00.000Z', hours: 23 },
    { timezone: 'Europe/Berlin', midnight: '2026-10-24T22:00:00.000Z', hours: 25 },
    { timezone: 'Australia/Lord_Howe', midnight: '2026-04-04T13:00:00.000Z', hours: 24.5 },
    { timezone: 'Pacific/Kiritimati', midnight: '2026-03-28T10:00:00.000Z', hours: 24 },
  ];
  test.each(zones)(
    'in $timezone a day of $hours hours has exactly what happened in it',
    async ({ timezone, midnight, hours }) => {
      const start = Date.parse(midnight);
      const end = start + hours * 3_600_000;
      const moments = [start - 1, start, start + 1, start + 7_200_000, end - 1, end];
      for (const [index, at] of moments.entries())
        await usage.recordUsage(entry({ costUsd: unitsToMoney(10n ** BigInt(index)), at: new Date(at) }));
      const { data, totalUsd } = await report('day', { timezone });
      expect(data.map(({ costUsd }) => moneyToUnits(costUsd ?? 'unknown'))).toEqual([1n, 11_110n, 100_000n]);
      const byDay = await Promise.all(
        [
          [start - 86_400_000, start],
          [start, end],
          [end, end + 86_400_000],
        ].map(([from = 0, to = 0]) =>
          report('day', { timezone, from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
        ),
      );
      expect(byDay.map((day) => day.data.map(({ key, costUsd }) => [key, costUsd]))).toEqual(
        data.map(({ key, costUsd }) => [[key, costUsd]]),
      );
      expect(byDay.reduce((sum, day) => addMoney(sum, day.totalUsd), '0')).toBe(totalUsd);
    },
  );

  test('time zones are known by their names only', () => {
    expect(['Europe/Berlin', 'UTC', 'America/Argentina/Ushuaia'].map(isTimezone)).toEqual([true, true, true]);
    expect(['', 'Mars/Base', '+03:00', "UTC'; --"].map(isTimezone)).toEqual([false, false, false, false]);
  });
});
