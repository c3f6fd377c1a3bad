import { FULL_SCALE, OWNER, seededId, seedScale, startStack, TestClient, type ScaleSizes } from '@chirality/testing';
import { Pool } from 'pg';
import { postJson } from '../json-post';
import { figureRow, type Row } from '../report';
import { median, quantile } from '../statistics';

const BUDGETS = 1_000;

/**
 * What the service's lists, reports and turns cost after years of use. `size` is a share of the full scale. The service
 * runs as usual on a database that was filled before; times are a client's, from the request to the last byte.
 */
export async function measureScale(size: number, rounds: number): Promise<Row[]> {
  const sizes = Object.fromEntries(
    Object.entries(FULL_SCALE).map(([what, count]) => [
      what,
      what === 'people' || what === 'projects' ? count : Math.round(count * size),
    ]),
  ) as ScaleSizes;
  const stack = await startStack({
    postgres: { durable: true, settings: { shared_buffers: '256MB', max_wal_size: '4GB' } },
  });
  const pool = new Pool({ connectionString: stack.postgres.url, max: 2 });
  try {
    const startedAt = performance.now();
    const { teamId } = await seedScale(pool, sizes);
    await pool.query(
      `INSERT INTO membership (team_id, user_id, role) SELECT $1, id, 'owner' FROM "user" WHERE email = $2`,
      [teamId, OWNER.email],
    );
    process.stderr.write(
      `seeded ${JSON.stringify(sizes)} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
    );
    const client = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    return [...(await measureReads(client, teamId, rounds)), ...(await measureBudgets(client, pool, teamId, rounds))];
  } finally {
    await pool.end();
    await stack.stop();
  }
}

async function measureReads(client: TestClient, teamId: string, rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  const read = async (what: string, path: string, most: number) => {
    const times: number[] = [];
    let bytes = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const startedAt = performance.now();
      const response = await fetch(`${client.baseUrl}${path}`, {
        headers: { authorization: `Bearer ${client.token}` },
      });
      const body = await response.arrayBuffer();
      times.push(performance.now() - startedAt);
      if (response.status !== 200)
        throw new Error(`${path} answered ${response.status}: ${Buffer.from(body).toString()}`);
      bytes = body.byteLength;
    }
    const again = times.slice(1);
    rows.push(
      figureRow(
        what,
        times[0] ?? 0,
        'ms',
        { most },
        `first; then p50 ${median(again).toFixed(0)} ms, ${(bytes / 1024).toFixed(0)} KiB`,
      ),
    );
  };
  for (const group of ['day', 'user', 'model', 'session', 'turn'])
    await read(`usage of all time by ${group}`, `/v1/usage?groupBy=${group}&teamId=${teamId}`, 300);
  const transcript = `/v1/sessions/${seededId.session(1)}/transcript`;
  await read('transcript of the longest session', transcript, 400);
  const { earlier } = (await client.call<{ earlier: string | null }>('GET', transcript)).body;
  if (earlier !== null) await read('the page before it', `${transcript}?before=${earlier}`, 400);
  await read('first page of sessions', '/v1/sessions?limit=100', 50);
  await read('sessions by a part of their title', '/v1/sessions?limit=50&search=abc12', 100);
  await read('audit of one project', `/v1/audit?teamId=${teamId}&projectId=${seededId.project(1)}`, 50);
  return rows;
}

/** Budgets of every project, person and of many sessions, made while turns come in. */
async function measureBudgets(client: TestClient, pool: Pool, teamId: string, rounds: number): Promise<Row[]> {
  const session = await client.createSession(seededId.project(1), { visibility: 'project' });
  const path = `${client.baseUrl}/v1/sessions/${session.id}/turns`;
  const times: { without: number[]; first: number[]; with: number[] } = { without: [], first: [], with: [] };
  const post = async (into: number[]) => {
    const startedAt = performance.now();
    const answer = await postJson<{ turn?: { id: string } }>(path, client.token, { message: '[[text Hello.]]' });
    into.push(performance.now() - startedAt);
    if (answer.status !== 202) throw new Error(`POST answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    for (;;) {
      const { rows } = await pool.query('SELECT 1 FROM turn WHERE session_id = $1 AND active_session_id IS NOT NULL', [
        session.id,
      ]);
      if (rows.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await post([]);
  for (let round = 0; round < rounds; round += 1) await post(times.without);
  // Made behind the service's back, as a release without windows would have left them.
  await pool.query(
    `INSERT INTO budget (id, team_id, scope, subject_id, period, kind, limit_usd, created_by_id)
     SELECT 'budget_' || row_number() OVER (), $1, scope, subject_id, period, 'hard', 900000, 'x' FROM (
       SELECT 'project' AS scope, id AS subject_id FROM project WHERE team_id = $1 UNION ALL SELECT 'user', user_id FROM membership WHERE team_id = $1
       UNION ALL SELECT 'team', $1 UNION ALL (SELECT 'session', id FROM session WHERE team_id = $1 ORDER BY id DESC LIMIT $2)) s CROSS JOIN unnest(ARRAY['total', 'day']) period`,
    [teamId, Math.round(BUDGETS / 2) - 82],
  );
  await post(times.first);
  for (let round = 0; round < rounds; round += 1) await post(times.with);
  const extra = median(times.with) - median(times.without);
  const listedAt = performance.now();
  const listed = await client.call<{ data: unknown[] }>('GET', `/v1/budgets?teamId=${teamId}`);
  const listMs = performance.now() - listedAt;
  const createdAt = performance.now();
  const created = await client.call('POST', '/v1/budgets', {
    teamId,
    scope: 'team',
    period: 'month',
    kind: 'hard',
    limitUsd: '900000',
  });
  if (created.status !== 201) throw new Error(`the budget answered ${created.status}: ${JSON.stringify(created.body)}`);
  return [
    figureRow(
      'POST → 202 after windows of all budgets went missing',
      times.first[0] ?? 0,
      'ms',
      { most: 500 },
      `${BUDGETS} budgets`,
    ),
    figureRow(
      `${BUDGETS} budgets on a turn's way`,
      extra,
      'ms',
      { most: 5 },
      `p50 ${median(times.with).toFixed(1)} ms, p90 ${quantile(times.with, 0.9).toFixed(1)} ms; without ${median(times.without).toFixed(1)} ms`,
    ),
    figureRow(
      'list of all budgets, the first time',
      listMs,
      'ms',
      { most: 15_000 },
      `${listed.status}, ${listed.body.data?.length ?? 0} budgets`,
    ),
    figureRow(
      'making a budget for the team and month',
      performance.now() - createdAt,
      'ms',
      { most: 2_000 },
      'counted before it answers',
    ),
  ];
}
