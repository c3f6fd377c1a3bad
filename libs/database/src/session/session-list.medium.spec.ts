import type { AuditAction } from '@chirality/contracts';
import { buildTurn, buildWorld, seedScale, seededId, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { AuditRepository } from '../audit/audit.repository';
import { SessionRepository, type SessionFilter } from './session.repository';

jest.setTimeout(120_000);

describe('lists in an installation with a long past', () => {
  let test: TestDatabase;
  let scale: { teamId: string; ownerId: string };
  const nothing = { append: () => Promise.reject(new Error('not called')) };

  beforeAll(async () => {
    test = await startTestDatabase();
    scale = await seedScale(test.pool, {
      people: 10,
      projects: 10,
      sessions: 5_000,
      turns: 5_000,
      usage: 100,
      events: 50_000,
    });
  });
  afterAll(() => test.close());

  /**
   * What the statement of a call answered, how it was run, and the most rows that a step of that went through, each
   * time or in all.
   */
  async function explained<T>(call: (pool: TestDatabase['pool']) => Promise<T>) {
    const plans: string[] = [];
    const query = async (text: string, values: unknown[]) => {
      const { rows } = await test.pool.query<{ 'QUERY PLAN': unknown }>(
        `EXPLAIN (ANALYZE, TIMING off, FORMAT json) ${text}`,
        values,
      );
      plans.push(JSON.stringify(rows[0]?.['QUERY PLAN']));
      return test.pool.query(text, values);
    };
    const answer = await call({ query } as unknown as TestDatabase['pool']);
    const plan = plans.join('\n');
    const rows = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by [\w ]+)":([\d.]+)/g)].map(([, count]) =>
      Number(count),
    );
    expect(rows).not.toEqual([]);
    return { answer, plan, maxRows: Math.max(...rows) };
  }
  const list = (filter: Partial<SessionFilter>, userId = scale.ownerId) =>
    explained((pool) =>
      new SessionRepository({ pool }, nothing).listForUser(userId, { archived: false, limit: 50, ...filter }),
    );

  it('the first page and every later one is read from the index in its order, without the rest', async () => {
    const first = await list({});
    expect(first.answer.data).toHaveLength(50);
    const second = await list({ cursor: first.answer.nextCursor ?? '' });
    const latestOf = (page: typeof first) => page.answer.data.map(({ updatedAt }) => updatedAt);
    expect(latestOf(first).concat(latestOf(second))).toEqual(
      latestOf(first).concat(latestOf(second)).toSorted().toReversed(),
    );
    for (const { plan, maxRows } of [first, second]) {
      expect(plan).toContain('session_listed_idx');
      expect(maxRows).toBeLessThan(1_000);
    }
  });

  it('a part of a title is found by its trigrams, in any case, and signs of patterns are letters', async () => {
    await test.pool.query('UPDATE session SET title = $2 WHERE id = $1', [
      seededId.session(4_999),
      'Why 100%_sure \\ fails',
    ]);
    const [found, signs, any] = [
      await list({ search: '100%_SURE \\ f' }),
      await list({ search: '%_sure' }),
      await list({ search: '_' }),
    ];
    expect([found, signs, any].map(({ answer }) => answer.data.map(({ id }) => id))).toEqual([
      [seededId.session(4_999)],
      [seededId.session(4_999)],
      [seededId.session(4_999)],
    ]);
    // So few rows are read sooner as a whole; the question is whether the index can serve it.
    const client = await test.pool.connect();
    await client.query('SET enable_seqscan = off');
    const { rows } = await client.query(
      `EXPLAIN (FORMAT json) SELECT id FROM session s WHERE s.title ILIKE '%00%_sure%'`,
    );
    client.release(true);
    expect(JSON.stringify(rows)).toContain('session_title_trigrams_idx');
  });

  it('those that wait for a person are listed however old they are, for users who may see them', async () => {
    const world = await buildWorld(test.pool);
    await buildTurn(test.pool, {
      session: { id: seededId.session(1), teamId: scale.teamId },
      authorId: seededId.user(2),
      status: 'awaiting_permission',
    });
    expect((await list({ status: 'waiting' })).answer.data.map(({ id, status }) => [id, status])).toEqual([
      [seededId.session(1), 'waiting'],
    ]);
    expect((await list({ status: 'waiting' }, world.owner.id)).answer.data).toEqual([]);
  });

  it('the audit of a project is read by its own index: acts on it, on its sessions, and those that name it', async () => {
    const audit = new AuditRepository(test);
    const [project, session] = [seededId.project(3), seededId.session(2)];
    const act = (action: AuditAction, object: string, detail = {}) =>
      audit.record({ teamId: scale.teamId, userId: null, userName: null, action, object, detail });
    await act('project:create', project);
    await act('session:update', session);
    await act('budget:create', 'budget_x', { projectId: project });
    await act('project:create', seededId.project(4));
    const { data } = await audit.list(scale.teamId, { projectId: project, limit: 10 });
    expect(data.map(({ action }) => action)).toEqual(['budget:create', 'session:update', 'project:create']);
    await test.pool.query(
      `INSERT INTO audit_entry (id, team_id, action, object, project_id) SELECT 'audit_' || n, $1, 'x', 'y',
        'proj_' || n % 50 FROM generate_series(1, 5000) n`,
      [scale.teamId],
    );
    await test.pool.query('ANALYZE audit_entry');
    const { rows } = await test.pool.query(
      `EXPLAIN (FORMAT json) SELECT * FROM audit_entry WHERE team_id = $1 AND project_id = $2
        ORDER BY id DESC LIMIT 11`,
      [scale.teamId, project],
    );
    expect(JSON.stringify(rows)).toContain('audit_entry_project_id_id_idx');
  });
});
