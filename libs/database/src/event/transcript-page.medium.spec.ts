import { buildWorld, seedLogs, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { TranscriptPageRepository } from './transcript-page.repository';

jest.setTimeout(60_000);

const EVENTS = 20_000;

describe('the pages of a long session', () => {
  let test: TestDatabase;
  let sessionId: string;

  beforeAll(async () => {
    test = await startTestDatabase();
    sessionId = (await buildWorld(test.pool)).session.id;
    await seedLogs(test.pool, [sessionId], EVENTS);
    await test.pool.query('ANALYZE');
  });
  afterAll(() => test.close());

  /** What a call answered, and the most rows that a step of its plans went through. */
  async function explained<T>(call: (pages: TranscriptPageRepository) => Promise<T>) {
    const plans: string[] = [];
    const query = async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await test.pool.query<{ 'QUERY PLAN': unknown }>(
        `EXPLAIN (ANALYZE, TIMING off, FORMAT json) ${text}`,
        values,
      );
      plans.push(JSON.stringify(rows[0]?.['QUERY PLAN']));
      return test.pool.query(text, values);
    };
    const answer = await call(new TranscriptPageRepository({ pool: { query } as unknown as TestDatabase['pool'] }));
    const rows = [...plans.join().matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)].map(([, count]) =>
      Number(count),
    );
    return { answer, maxRows: Math.max(...rows) };
  }
  const begin = (end: number, budget = { events: 2_000, bytes: 1024 * 1024 }) =>
    explained((pages) => pages.findBegin(sessionId, end, budget));

  it('begin with a turn, within the budget and without reading beyond it', async () => {
    expect(await begin(EVENTS + 1)).toEqual({ answer: 18_001, maxRows: 2_000 });
    expect((await begin(18_001)).answer).toBe(16_001);
    expect((await begin(EVENTS + 1, { events: 1_995, bytes: 1024 * 1024 })).answer).toBe(18_011);
    expect((await begin(1_001)).answer).toBe(1);
  });

  it('are cut by the size of their events too', async () => {
    const { rows } = await test.pool.query<{ bytes: string }>(
      'SELECT sum(octet_length(payload)) AS bytes FROM event WHERE session_id = $1 AND id > $2',
      [sessionId, EVENTS - 100],
    );
    const bytes = Number(rows[0]?.bytes);
    expect((await begin(EVENTS + 1, { events: 2_000, bytes })).answer).toBe(EVENTS - 99);
    expect((await begin(EVENTS + 1, { events: 2_000, bytes: bytes - 1 })).answer).toBe(EVENTS - 89);
  });

  it('hold one whole turn where that alone is beyond the budget, which is found without going through it', async () => {
    expect((await begin(EVENTS + 1, { events: 5, bytes: 1024 * 1024 })).answer).toBe(EVENTS - 9);
    expect((await begin(EVENTS + 1, { events: 5, bytes: 1 })).answer).toBe(EVENTS - 9);
    await test.pool.query(
      `UPDATE event SET kind = 'custom' WHERE session_id = $1 AND kind = 'turn:queued' AND id > 5001`,
      [sessionId],
    );
    const long = await begin(EVENTS + 1);
    expect(long.answer).toBe(5_001);
    expect(long.maxRows).toBe(2_000);
  });

  it('tell what is said of the whole session before them without going through the log', async () => {
    const facts = await explained((pages) => pages.readFacts(sessionId, EVENTS));
    const outcomes = await explained((pages) => pages.readOutcomes(sessionId, 1));
    expect([facts, outcomes]).toEqual([
      { answer: [], maxRows: 0 },
      { answer: [], maxRows: 0 },
    ]);
    for (const [id, kind] of [
      [3, 'session:init'],
      [13, 'session:init'],
      [14, 'session:update'],
      [24, 'session:update'],
      [25, 'tool:outcome'],
      [45, 'session:end'],
    ]) {
      await test.pool.query('UPDATE event SET kind = $3 WHERE session_id = $1 AND id = $2', [sessionId, id, kind]);
    }
    const kinds = async (end: number) =>
      (await new TranscriptPageRepository(test).readFacts(sessionId, end)).map(({ id, kind }) => `${id} ${kind}`);
    expect(await kinds(EVENTS)).toEqual([
      '13 session:init',
      '14 session:update',
      '24 session:update',
      '25 tool:outcome',
      '45 session:end',
    ]);
    expect(await kinds(14)).toEqual(['13 session:init']);
  });
});
