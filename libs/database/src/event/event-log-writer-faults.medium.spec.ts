import { flakyPool, Random, waitFor, type StatementFate } from '@chirality/testing';
import { Client } from 'pg';
import { EventLogClosedError } from './append-item';
import { EventLogWriter } from './event-log-writer';
import { LogAtWork, nameOf, note } from '../../test/log-at-work';

describe('appending to the event log while something fails', () => {
  let at: LogAtWork;
  let log: EventLogWriter;
  let sessions: string[];

  beforeAll(async () => (at = await LogAtWork.start()), 60_000);
  afterAll(() => at.database.close());
  beforeEach(async () => {
    await at.begin();
    ({ log, sessions } = at);
  });
  afterEach(() => log.close());

  test('a session that is locked elsewhere delays no other', async () => {
    const [locked, ...free] = sessions as [string, ...string[]];
    const holder = await at.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM session_cursor WHERE session_id = $1 FOR UPDATE', [locked]);
    const waiting = log.append({ sessionId: locked, fence: null, events: [note('late')] });
    const transition = log.append({
      sessionId: locked,
      fence: null,
      events: [note('later')],
      transition: async () => true,
    });
    for (let round = 0; round < 5; round++)
      await Promise.all(free.map((sessionId) => log.append({ sessionId, fence: null, events: [note(`${round}`)] })));
    expect(await at.read(locked)).toEqual([]);
    await holder.query('COMMIT');
    holder.release();
    await Promise.all([waiting, transition]);
    expect((await at.read(locked)).map(nameOf)).toEqual(['late', 'later']);
    for (const sessionId of free) expect((await at.read(sessionId)).map(nameOf)).toEqual(['0', '1', '2', '3', '4']);
  });

  test('reads that are stuck do not keep the log from being written', async () => {
    const [sessionId] = sessions as [string];
    const holder = new Client({ connectionString: at.database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE session IN ACCESS EXCLUSIVE MODE');
    const reads = Array.from({ length: 50 }, () =>
      at.database.pool.query('SELECT title FROM session WHERE id = $1', [sessionId]),
    );
    await Promise.all(['a', 'b', 'c'].map((name) => log.append({ sessionId, fence: null, events: [note(name)] })));
    expect(
      (await holder.query('SELECT count(*)::int AS n FROM event WHERE session_id = $1', [sessionId])).rows,
    ).toEqual([{ n: 3 }]);
    await holder.query('COMMIT');
    await holder.end();
    expect((await Promise.all(reads)).every(({ rows }) => rows.length === 1)).toBe(true);
  });

  test.each<StatementFate>(['lost-before', 'lost-after', 'still-running'])(
    'a statement that is %s is written once',
    async (fate) => {
      let statements = 0;
      const random = new Random(20_261);
      // One in five statements meets that fate, the commits of transitions included.
      const pool = flakyPool(at.database.eventPool, () => (statements++, random.chance(0.2) ? fate : 'ok'));
      const flaky = new EventLogWriter({
        pool,
        onCommitted: (session, envelopes) =>
          at.published.set(session, [...(at.published.get(session) ?? []), ...envelopes]),
      });
      const appended: Promise<unknown>[] = [];
      for (let round = 0; round < 30; round++) {
        for (const sessionId of sessions) {
          const transition = round % 5 === 4 ? async () => true : undefined;
          appended.push(flaky.append({ sessionId, fence: null, events: [note(`${round}`)], transition }));
          // Another writer works on the same sessions meanwhile.
          appended.push(log.append({ sessionId, fence: null, events: [note('other')] }));
        }
        await new Promise(setImmediate);
      }
      await Promise.all(appended);
      expect(statements).toBeGreaterThan(60);
      for (const sessionId of sessions) {
        const events = await at.read(sessionId);
        expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
        expect(events.map(nameOf).filter((name) => name !== 'other')).toEqual(
          Array.from({ length: 30 }, (_, round) => `${round}`),
        );
        expect(
          at.published
            .get(sessionId)
            ?.map(({ id }) => id)
            .sort((a, b) => a - b),
        ).toEqual(events.map(({ id }) => id));
      }
      await flaky.close();
    },
    60_000,
  );

  test('backends that are killed in mid batch cost nothing but time', async () => {
    let killed = 0;
    // So many and no more: on a slow machine no batch would ever outlive a killer that did not stop.
    const killAll = async () => {
      while (killed < 40 && !isWritten) {
        const { rowCount } = await at.database.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'chirality events'
            AND random() < 0.5`,
        );
        killed += rowCount ?? 0;
      }
    };
    let isWritten = false;
    const killing = killAll();
    const appended: Promise<unknown>[] = [];
    for (let round = 0; round < 100; round++) {
      for (const sessionId of sessions) {
        const transition = round % 10 === 9 ? async () => true : undefined;
        appended.push(log.append({ sessionId, fence: null, events: [note(`${round}`)], transition }));
      }
      await new Promise(setImmediate);
    }
    await Promise.all(appended);
    isWritten = true;
    await killing;
    expect(killed).toBeGreaterThan(0);
    for (const sessionId of sessions) {
      const events = await at.read(sessionId);
      expect(events.map(nameOf)).toEqual(Array.from({ length: 100 }, (_, round) => `${round}`));
      expect(events.map(({ id }) => id)).toEqual(events.map((_, position) => position + 1));
    }
  }, 60_000);

  test('while Postgres is down events wait, and are written in order when it is back', async () => {
    const appended = sessions.map((sessionId) => log.append({ sessionId, fence: null, events: [note('before')] }));
    await at.database.postgres.goDown();
    const during = ['1', '2', '3'].flatMap((name) =>
      sessions.map((sessionId) => log.append({ sessionId, fence: null, events: [note(name)] })),
    );
    await waitFor(() => log.awayMs() > 0, { what: 'the outage is noticed' });
    expect(log.pendingBytes()).toBeGreaterThan(0);
    const below = log.whenBelow(0);
    await at.database.postgres.comeUp();
    await Promise.all([...appended, ...during]);
    await below;
    expect([log.pendingBytes(), log.awayMs()]).toEqual([0, 0]);
    for (const sessionId of sessions) expect((await at.read(sessionId)).map(nameOf)).toEqual(['before', '1', '2', '3']);
  }, 60_000);

  test('closing while Postgres is down gives up in time', async () => {
    await at.database.postgres.goDown();
    const waiting = log.append({ sessionId: sessions[0] as string, fence: null, events: [note('lost')] });
    await Promise.all([expect(waiting).rejects.toThrow(EventLogClosedError), log.close(100)]);
    await at.database.postgres.comeUp();
  }, 30_000);
});
