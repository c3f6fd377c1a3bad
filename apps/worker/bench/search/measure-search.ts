import { createDatabase, EventLogWriter } from '@chirality/database';
import type { NewEvent } from '@chirality/contracts';
import { OWNER, seededId, seedScale, startStack, TestClient } from '@chirality/testing';
import { Pool } from 'pg';
import { figureRow, ratioRow, type Row } from '../report';
import { median, pairedRatios, quantile } from '../statistics';
import { seedSearch } from './seed-search';

const SESSIONS = 1_000;
const TURNS_PER_SESSION = 200;
const APPENDS = 200;

/** From words that stand in nearly every text to one that stands nowhere; `w1` is the most frequent word but one. */
const SEARCHES: readonly [string, string][] = [
  ['a word of nearly every text', 'q=w0'],
  ['a frequent word', 'q=w40'],
  ['a rare word', 'q=w30000'],
  ['three words', 'q=w3 w90 w700'],
  ['a phrase', 'q="w1 w0"'],
  ['the beginning of a word', 'q=w12'],
  ['part of a path', 'q=older17'],
  ['what is nowhere', 'q=nowhere'],
  ['a frequent word in a project', `q=w40&projectId=${seededId.project(3)}`],
  ['a frequent word by a person', `q=w40&userId=${seededId.user(5)}`],
  ['a frequent word in a month', 'q=w40&from=2026-03-01T00:00:00.000Z&to=2026-04-01T00:00:00.000Z'],
];

/**
 * How long a search takes in 1,000 sessions of 200 turns, each with five texts, for a client from the request to the
 * last byte; how large the search is; and what its rows cost where events are appended.
 */
export async function measureSearch(size: number, rounds: number): Promise<Row[]> {
  const stack = await startStack({
    postgres: { durable: true, settings: { shared_buffers: '256MB', max_wal_size: '4GB' } },
  });
  const pool = new Pool({ connectionString: stack.postgres.url, max: 2 });
  try {
    const sessions = Math.max(10, Math.round(SESSIONS * size));
    const { teamId } = await seedScale(pool, {
      people: 40,
      projects: 40,
      sessions,
      turns: sessions * TURNS_PER_SESSION,
      usage: 1_000,
      events: sessions * 10,
    });
    await pool.query(
      `INSERT INTO membership (team_id, user_id, role) SELECT $1, id, 'owner' FROM "user" WHERE email = $2`,
      [teamId, OWNER.email],
    );
    const startedAt = performance.now();
    await seedSearch(pool);
    process.stderr.write(`seeded ${sessions} sessions in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
    const client = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    return [
      ...(await measureTimes(client, rounds)),
      ...(await measureSizes(pool)),
      ...(await measureAppends(stack.postgres.url, pool)),
    ];
  } finally {
    await pool.end();
    await stack.stop();
  }
}

async function measureTimes(client: TestClient, rounds: number): Promise<Row[]> {
  const times = SEARCHES.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, [, query]] of SEARCHES.entries()) {
      const startedAt = performance.now();
      const response = await fetch(`${client.baseUrl}/v1/search?${encodeURI(query)}`, {
        headers: { authorization: `Bearer ${client.token}` },
      });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${query} answered ${response.status}: ${body}`);
      // The first round is the disk's.
      if (round > 0) times[at]?.push(performance.now() - startedAt);
    }
  const all = times.flat();
  return [
    figureRow('search, p95 of all', quantile(all, 0.95), 'ms', { most: 150 }, `p50 ${median(all).toFixed(0)} ms`),
    ...SEARCHES.map(([what], at) =>
      figureRow(
        `  ${what}`,
        quantile(times[at] ?? [], 0.95),
        'ms',
        {},
        `p95; p50 ${median(times[at] ?? []).toFixed(0)} ms`,
      ),
    ),
  ];
}

async function measureSizes(pool: Pool): Promise<Row[]> {
  const { rows } = await pool.query<Record<'count' | 'words' | 'paths' | 'indexes' | 'table', string>>(
    `SELECT (SELECT count(*) FROM search_text) AS count, pg_relation_size('search_text_words_idx') AS words,
       pg_relation_size('search_text_paths_idx') AS paths, pg_indexes_size('search_text') AS indexes,
       pg_table_size('search_text') AS table`,
  );
  const [sizes] = rows;
  if (!sizes) throw new Error('there are no sizes');
  const mib = (bytes: string) => Number(bytes) / 1024 / 1024;
  const detail = `words ${mib(sizes.words).toFixed(0)} MiB, paths ${mib(sizes.paths).toFixed(0)} MiB, ${sizes.count} texts`;
  return [
    figureRow('indexes of the search', mib(sizes.indexes), 'MiB', {}, detail),
    figureRow('texts of the search', mib(sizes.table), 'MiB', {}, 'with what is kept of their words'),
  ];
}

/** The same bytes as an answer, which is searched, and as thinking, which is not. */
async function measureAppends(url: string, pool: Pool): Promise<Row[]> {
  const sessionId = seededId.session(1);
  await pool.query(
    'INSERT INTO session_cursor (session_id, last_event_id) VALUES ($1, 1000000) ON CONFLICT (session_id) DO UPDATE SET last_event_id = 1000000',
    [sessionId],
  );
  const database = createDatabase({ url });
  const log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
  const text = Array.from({ length: 150 }, (_, n) => `w${(n * n * 7) % 900}`).join(' ');
  const append = async (kind: 'chat:complete' | 'thinking:complete', n: number) => {
    const event = { kind, turn: null, originator: { system: true }, payload: { messageId: `m${n}`, block: 0, text } };
    const startedAt = performance.now();
    await log.append({ sessionId, fence: null, events: [event as NewEvent] });
    return performance.now() - startedAt;
  };
  const times: { searched: number[]; plain: number[] } = { searched: [], plain: [] };
  try {
    for (let n = 0; n < APPENDS; n += 1) {
      times.plain.push(await append('thinking:complete', n));
      times.searched.push(await append('chat:complete', n));
    }
  } finally {
    await log.close();
    await database.close();
  }
  const detail = `${median(times.searched).toFixed(1)} ms to ${median(times.plain).toFixed(1)} ms for 150 words, each a commit`;
  return [ratioRow('append that is searched / that is not', pairedRatios(times.searched, times.plain), {}, detail)];
}
