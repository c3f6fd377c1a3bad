import { newId, sumMoney } from '@chirality/domain';
import {
  buildTurn,
  buildUser,
  buildWorld,
  seededId,
  seedScale,
  startTestDatabase,
  waitFor,
  type TestDatabase,
} from '@chirality/testing';
import type { Pool, PoolClient } from 'pg';
import { UsageRepository, type UsageEntry } from '../usage/usage.repository';
import { BudgetRepository } from './budget.repository';
import { BudgetSpendingRepository } from './budget-spending.repository';
import { openBudgets } from './open-budgets';

jest.setTimeout(60_000);

/**
 * The pool, with something that happens between the answer to a count and its use. Notes which budgets were counted.
 */
function watchedPool(pool: Pool, afterCount: () => Promise<unknown>) {
  const counted: string[][] = [];
  const connect = async () => {
    const client = await pool.connect();
    const query = async (...args: unknown[]) => {
      const answer: unknown = await (client.query as (...args: unknown[]) => unknown)(...args);
      const asked = args[0] as { text?: string; values?: string[][] };
      if (asked.text?.includes('AS earlier')) {
        counted.push(asked.values?.[0] ?? []);
        await afterCount();
      }
      return answer;
    };
    return new Proxy(client, {
      get: (target, name: keyof PoolClient) =>
        name === 'query'
          ? query
          : typeof target[name] === 'function'
            ? (target[name] as () => unknown).bind(target)
            : target[name],
    });
  };
  return {
    counted,
    pool: new Proxy(pool, {
      get: (target, name: keyof Pool) =>
        name === 'connect'
          ? connect
          : typeof target[name] === 'function'
            ? (target[name] as () => unknown).bind(target)
            : target[name],
    }),
  };
}

describe('opening budgets', () => {
  let test: TestDatabase;
  let budgets: BudgetRepository;
  let usage: UsageRepository;

  beforeAll(async () => {
    test = await startTestDatabase();
    budgets = new BudgetRepository(test);
    usage = new UsageRepository(test);
  });
  afterAll(() => test.close());

  async function world() {
    const made = await buildWorld(test.pool);
    const turn = await buildTurn(test.pool, { session: made.session, authorId: made.owner.id, status: 'running' });
    return {
      ...made,
      turn,
      spender: { teamId: made.team.id, projectId: made.project.id, sessionId: made.session.id, userId: made.owner.id },
    };
  }
  type World = Awaited<ReturnType<typeof world>>;

  const entry = (of: World, costUsd: string): UsageEntry => ({
    ...of.spender,
    id: newId('usage'),
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
  });
  const create = async (
    of: World,
    budget: {
      scope?: 'team' | 'project' | 'session' | 'user';
      subjectId?: string;
      period?: 'day' | 'month' | 'total';
      limitUsd?: string;
    } = {},
  ) => {
    const made = await budgets.create({
      teamId: of.team.id,
      createdById: of.owner.id,
      scope: 'team',
      subjectId: of.team.id,
      period: 'total',
      kind: 'hard',
      limitUsd: '1',
      ...budget,
    });
    if (typeof made === 'string') throw new Error(made);
    return made.id;
  };
  const forget = (budgetId: string) => test.pool.query('DELETE FROM budget_window WHERE budget_id = $1', [budgetId]);
  const spentOf = async (of: World) => (await budgets.list(of.team.id)).map(({ spentUsd }) => spentUsd);

  it('stores usage while the usage before it is counted, and counts each row once', async () => {
    const one = await world();
    await usage.recordUsage(entry(one, '0.1'));
    await forget(await create(one));
    const { pool } = watchedPool(test.pool, () => usage.recordUsage(entry(one, '0.02')));
    const [opened] = await openBudgets(pool, one.team.id, [one.team.id], new Date());
    expect(opened).toMatchObject({ isCounted: true, spentUsd: '0.12' });
    await usage.recordUsage(entry(one, '0.003'));
    expect(await spentOf(one)).toEqual(['0.123']);
  });

  it('two that count at once add what was before once', async () => {
    const one = await world();
    await usage.recordUsage(entry(one, '0.1'));
    await forget(await create(one));
    const { pool } = watchedPool(test.pool, async () => {
      await usage.recordUsage(entry(one, '0.02'));
      await openBudgets(test.pool, one.team.id, null, new Date());
    });
    await openBudgets(pool, one.team.id, null, new Date());
    expect(await spentOf(one)).toEqual(['0.12']);
  });

  it('loses and doubles nothing while budgets of every scope and period are made, forgotten and read as usage comes in', async () => {
    const one = await world();
    const subjects = [
      ['team', one.team.id],
      ['project', one.project.id],
      ['session', one.session.id],
      ['user', one.owner.id],
    ] as const;
    const made: Promise<string>[] = [];
    const costs = Array.from({ length: 60 }, (_, n) => `0.00000${n + 10}`);
    const work = costs.map(async (cost, n) => {
      const [scope, subjectId] = subjects[n % 4] ?? subjects[0];
      if (n % 5 === 0 && n < 40)
        made.push(create(one, { scope, subjectId, period: n < 20 ? 'total' : 'day', limitUsd: '9' }));
      await usage.recordUsage(entry(one, cost));
      const id = await made[n % 7];
      if (n % 3 === 0 && id !== undefined) await forget(id);
      if (n % 4 === 0) await budgets.list(one.team.id);
    });
    await Promise.all(work);
    await Promise.all(made);
    expect(await spentOf(one)).toEqual(made.map(() => sumMoney(costs)));
  });

  it('counts only what is missing', async () => {
    const one = await world();
    const ids = [
      await create(one),
      await create(one, { period: 'day' }),
      await create(one, { scope: 'user', subjectId: one.owner.id }),
    ];
    await forget(ids[1] ?? '');
    const { pool, counted } = watchedPool(test.pool, () => Promise.resolve());
    await openBudgets(pool, one.team.id, null, new Date());
    await openBudgets(pool, one.team.id, null, new Date());
    expect(counted).toEqual([[ids[1]]]);
  });

  it('keeps no turn waiting for what takes long to count, and lets no request pass meanwhile', async () => {
    const one = await world();
    await usage.recordUsage(entry(one, '2'));
    const id = await create(one);
    await forget(id);
    let finish: () => void = () => undefined;
    const longCount = new Promise<void>((resolve) => (finish = resolve));
    const { pool, counted } = watchedPool(test.pool, () => longCount);
    const spending = new BudgetSpendingRepository({ pool }, 1);
    const reserve = () =>
      spending.reserve({ ...one.spender, turnId: one.turn.id }, () => ({ mostUsd: '0.1', leastUsd: '0.1' }), false);
    expect(await spending.findUsedUp(one.spender)).toBeNull();
    expect(await reserve()).toEqual({ outcome: 'wait' });
    // Neither of the two waited for the count, so it may begin after both.
    await waitFor(() => counted.length > 0, { what: 'the count has begun' }).finally(() => finish());
    expect(counted).toEqual([[id]]);
    await openBudgets(test.pool, one.team.id, null, new Date());
    expect(await spending.findUsedUp(one.spender)).toMatchObject({ id, spentUsd: '2' });
    expect(await reserve()).toMatchObject({ outcome: 'exceeded' });
  });

  it('reads by an index what a turn is bound by and what a window adds up to, among a thousand budgets', async () => {
    const { teamId, ownerId } = await seedScale(test.pool, {
      people: 20,
      projects: 20,
      sessions: 1_000,
      turns: 5_000,
      usage: 10_000,
      events: 10_000,
    });
    await test.pool.query(
      `INSERT INTO budget (id, team_id, scope, subject_id, period, kind, limit_usd, created_by_id)
       SELECT 'budget_' || s.id || p, $1, 'session', s.id, p, 'hard', 1, $2 FROM session s, unnest(ARRAY['day',
         'total']) p WHERE s.team_id = $1 ORDER BY s.id LIMIT 1000`,
      [teamId, ownerId],
    );
    await test.pool.query('ANALYZE budget');
    const spender = {
      teamId,
      projectId: seededId.project(1),
      sessionId: seededId.session(7),
      userId: (await buildUser(test.pool, { teamId })).id,
    };
    const plans: unknown[] = [];
    const explained = {
      query: async (asked: { text: string; values: unknown[] }) => {
        const { rows } = await test.pool.query<{ 'QUERY PLAN': { Plan: unknown }[] }>(
          `EXPLAIN (ANALYZE, TIMING off, FORMAT json) ${asked.text}`,
          asked.values,
        );
        plans.push(rows[0]?.['QUERY PLAN'][0]?.Plan);
        return test.pool.query(asked.text, asked.values);
      },
    };
    const spending = new BudgetSpendingRepository({ pool: explained as unknown as Pool });
    await openBudgets(test.pool, teamId, [spender.sessionId], new Date());
    await spending.findUsedUp(spender);
    expect(rowsReadOf(plans[0], 'budget')).toBe(2);
    for (const [column, index, id] of [
      ['project_id', 'usage_record_project_id_at_idx', spender.projectId],
      ['user_id', 'usage_record_user_id_at_idx', seededId.user(3)],
    ] as const) {
      const { rows } = await test.pool.query<{ 'QUERY PLAN': unknown }>(
        `EXPLAIN (FORMAT json) SELECT sum(cost_usd) FROM usage_record u WHERE u.${column} = $1 AND u.team_id = $2
          AND u.at >= now() - interval '1 day' AND NOT u.demo`,
        [id, teamId],
      );
      expect(JSON.stringify(rows)).toContain(index);
    }
  });
});

type Plan = { 'Relation Name'?: string; 'Actual Rows'?: number; 'Rows Removed by Filter'?: number; Plans?: Plan[] };

/** How many rows of a table a plan looked at. */
function rowsReadOf(plan: unknown, table: string): number {
  const { Plans = [], ...node } = plan as Plan;
  const own = node['Relation Name'] === table ? (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) : 0;
  return Plans.reduce((sum, child) => sum + rowsReadOf(child, table), own);
}
