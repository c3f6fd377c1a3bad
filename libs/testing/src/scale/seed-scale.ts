import type { Tx } from '@chirality/database';
import { buildTeam, buildUser } from '../factories/world';

export type ScaleSizes = {
  people: number;
  projects: number;
  sessions: number;
  turns: number;
  usage: number;
  events: number;
};

/** A large installation: what a team of forty leaves behind in a few years. */
export const FULL_SCALE: ScaleSizes = {
  people: 40,
  projects: 40,
  sessions: 20_000,
  turns: 400_000,
  usage: 1_200_000,
  events: 6_000_000,
};

/**
 * Ids are made from numbers, so that rows of one table name those of another without reading them. Turns sort before
 * any that is made later.
 */
export const seededId = {
  turnOf: (sessionId: string, n: number) => `turn_00${sessionId}_${String(n).padStart(6, '0')}`,
  project: (n: number) => `proj_${String(n).padStart(26, '0')}`,
  session: (n: number) => `sess_${String(n).padStart(26, '0')}`,
  user: (n: number) => `user_${String(n).padStart(26, '0')}`,
};

const idSql = (prefix: string, n: string) => `'${prefix}_' || lpad((${n})::text, 26, '0')`;

/**
 * Fills a migrated database with one team's past, once, on the server and without a round trip a row. Answers the team
 * and its owner. The first session holds a tenth of a full-size log, at most 60,000 events. Everything ended; times are
 * spread over a year.
 */
export async function seedScale(
  tx: Tx,
  { people, projects, sessions, turns, usage, events }: ScaleSizes,
): Promise<{ teamId: string; ownerId: string }> {
  const team = await buildTeam(tx, { name: 'Scale' });
  const owner = await buildUser(tx, { teamId: team.id, role: 'owner', name: 'Owner' });
  await tx.query(
    `INSERT INTO "user" (id, email, name, password_hash) SELECT ${idSql('user', 'n')}, 'person' || n || '@example.test', 'Person ' || n, 'no login' FROM generate_series(1, $1::int) n`,
    [people],
  );
  await tx.query(
    `INSERT INTO membership (team_id, user_id, role) SELECT $1, ${idSql('user', 'n')}, 'member' FROM generate_series(1, $2::int) n`,
    [team.id, people],
  );
  await tx.query(
    `INSERT INTO project (id, team_id, name, source, created_by_id) SELECT ${idSql('proj', 'n')}, $1, 'Project ' || n, '{"kind":"empty"}', $2 FROM generate_series(1, $3::int) n`,
    [team.id, owner.id, projects],
  );
  await tx.query(
    `INSERT INTO session (id, team_id, project_id, owner_id, title, mode, workspace, harness, visibility, options, created_at, updated_at, archived_at)
     SELECT ${idSql('sess', 'n')}, $1, ${idSql('proj', '1 + n % $3::int')}, ${idSql('user', '1 + n % $4::int')}, 'Session ' || n || ' about ' || md5(n::text), 'workbench', 'own', 'claude-code',
       CASE n % 5 WHEN 0 THEN 'private' ELSE 'project' END, '{}', at, at, CASE n % 4 WHEN 0 THEN at END
     FROM (SELECT n, now() - interval '365 days' * (1 - n / $2::float8) AS at FROM generate_series(1, $2::int) n) s`,
    [team.id, sessions, projects, people],
  );
  await tx.query(
    `INSERT INTO turn (id, session_id, team_id, status, attempt, author_id, author_name, message, cost_usd, queued_at, started_at, ended_at)
     SELECT ${idSql('turn', 'n')}, ${idSql('sess', '1 + n * $2::bigint / ($3::bigint + 1)')}, $1, 'completed', 1, ${idSql('user', '1 + n % $4::int')}, 'Person', '"Hello"', 0.003, at, at, at + interval '1 minute'
     FROM (SELECT n, now() - interval '365 days' * (1 - n / $3::float8) AS at FROM generate_series(1, $3::bigint) n) t`,
    [team.id, sessions, turns, people],
  );
  await tx.query(
    `INSERT INTO usage_record (id, team_id, project_id, session_id, turn_id, attempt, user_id, model, input_tokens, output_tokens, cache_read_tokens, cache_write_5m_tokens,
       cache_write_1h_tokens, cost_usd, source, complete, at, first_of_turn, first_of_model)
     SELECT ${idSql('usage', 'n')}, $1, ${idSql('proj', '1 + s % $5::int')}, ${idSql('sess', 's')}, ${idSql('turn', 't')}, 1, ${idSql('user', '1 + t % $6::int')}, 'claude-model-' || t % 3, 1000, 100, 5000, 10, 0,
       0.0010000001, 'gateway', true, now() - interval '365 days' * (1 - n / $4::float8), is_first, is_first
     FROM (SELECT n, t, n = 1 OR t <> 1 + (n - 1) * $3::bigint / ($4::bigint + 1) AS is_first, 1 + t * $2::bigint / ($3::bigint + 1) AS s FROM (SELECT n, 1 + n * $3::bigint / ($4::bigint + 1) AS t FROM generate_series(1, $4::bigint) n) u) v`,
    [team.id, sessions, turns, usage, projects, people],
  );
  await seedEvents(tx, team.id, sessions, events);
  await tx.query('ANALYZE');
  return { teamId: team.id, ownerId: owner.id };
}

const MAX_LOG = 60_000;
const EVENTS_PER_TURN = 10;

/** Turns of ten events each: the first session's many, the others' equally. */
async function seedEvents(tx: Tx, teamId: string, sessions: number, events: number): Promise<void> {
  const longest = Math.min(MAX_LOG, Math.floor(events / 100) * EVENTS_PER_TURN);
  const each =
    sessions > 1
      ? Math.max(EVENTS_PER_TURN, Math.floor((events - longest) / (sessions - 1) / EVENTS_PER_TURN) * EVENTS_PER_TURN)
      : 0;
  const { rows } = await tx.query<{ id: string }>('SELECT id FROM session WHERE team_id = $1 AND id <> $2', [
    teamId,
    seededId.session(1),
  ]);
  await seedLogs(tx, [seededId.session(1)], longest);
  await seedLogs(
    tx,
    rows.map(({ id }) => id),
    each,
  );
}

/**
 * Gives each of these sessions, which have no events yet, a log of turns of ten events each; their rows in `turn` are
 * not made.
 */
export async function seedLogs(tx: Tx, sessionIds: readonly string[], events: number): Promise<void> {
  await tx.query(
    `INSERT INTO event (session_id, id, kind, turn_id, originator, ts, payload)
     SELECT s.id, e, k.kind, 'turn_00' || s.id || '_' || lpad(((e - 1) / ${EVENTS_PER_TURN})::text, 6, '0'), '{"kind":"system"}', s.created_at + e * interval '1 second', replace(k.payload, '%N', ((e - 1) / ${EVENTS_PER_TURN})::text)
     FROM session s CROSS JOIN LATERAL generate_series(1, $2::int) e
     JOIN unnest($3::text[], $4::text[]) WITH ORDINALITY AS k(kind, payload, place) ON k.place = 1 + (e - 1) % ${EVENTS_PER_TURN}
     WHERE s.id = ANY($1)`,
    [
      sessionIds,
      events,
      TURN_OF_EVENTS.map(([kind]) => kind),
      TURN_OF_EVENTS.map(([, payload]) => JSON.stringify(payload)),
    ],
  );
  await tx.query(
    'INSERT INTO session_cursor (session_id, last_event_id) SELECT unnest($1::text[]), $2 ON CONFLICT (session_id) DO UPDATE SET last_event_id = $2',
    [sessionIds, events],
  );
}

/**
 * Gives a session without events a log as `seedLogs` does, and its turns their rows, so that it can be used like any
 * other.
 */
export async function seedConversation(tx: Tx, session: { id: string; teamId: string }, events: number): Promise<void> {
  await seedLogs(tx, [session.id], events);
  await tx.query(
    `INSERT INTO turn (id, session_id, team_id, status, attempt, author_id, author_name, message, cost_usd, queued_at, started_at, ended_at)
     SELECT turn_id, $1, $2, 'completed', 1, 'user_1', 'Person', '"Hello"', 0.001, ts, ts, ts FROM event WHERE session_id = $1 AND kind = 'turn:queued'`,
    [session.id, session.teamId],
  );
}

const USAGE = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
const TEXT =
  'Answer %N: the **function** in `src/part-%N.ts` returns what it is given, so the test that failed can be fixed there.';
const TIMINGS = {
  queueMs: 1,
  sandboxMs: 1,
  spawnMs: 1,
  initMs: 1,
  firstTokenMs: 1,
  tools: [],
  persistMs: 1,
  totalMs: 10,
};
const TURN_OF_EVENTS: [kind: string, payload: unknown][] = [
  ['turn:queued', { turnKind: 'message', message: 'Question %N: why does the test fail?', position: 1 }],
  ['turn:start', { attempt: 1, worker: 'worker_1', process: 'parked' }],
  [
    'tool:start',
    { toolUseId: 'toolu_%N', name: 'Read', input: { file_path: '/workspace/src/part-%N.ts' }, mutating: false },
  ],
  ['tool:result', { toolUseId: 'toolu_%N', content: 'export const part = %N;', isError: false, durationMs: 3 }],
  ['chat:delta', { messageId: 'msg_%N', block: 0, text: TEXT.slice(0, 40) }],
  ['chat:delta', { messageId: 'msg_%N', block: 0, text: TEXT.slice(40) }],
  ['chat:complete', { messageId: 'msg_%N', block: 0, text: TEXT }],
  ['cost:update', { costUsd: '0.001', usage: USAGE }],
  ['session:complete', { text: TEXT, degraded: false, costUsd: '0.001', usage: USAGE }],
  ['turn:end', { status: 'completed', costUsd: '0.001', usage: USAGE, timings: TIMINGS }],
];
