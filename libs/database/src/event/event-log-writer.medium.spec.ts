import type { Envelope, NewEvent } from '@chirality/contracts';
import { SYSTEM } from '@chirality/contracts';
import { flakyPool } from '@chirality/testing';
import { EventLogClosedError } from './append-item';
import { EventLogWriter, PAYLOAD_LIMIT_BYTES } from './event-log-writer';
import { LogAtWork, nameOf, note } from '../../test/log-at-work';

const delta = (text: string, block = 0): NewEvent => ({
  kind: 'chat:delta',
  turn: null,
  originator: SYSTEM,
  payload: { messageId: 'm', block, text },
});

describe('appending to the event log', () => {
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

  test('a listener that came later receives the same events, after the first one', async () => {
    const [session = ''] = sessions;
    const heard: { session: string; names: string[]; alsoPublished: boolean }[] = [];
    log.listen((id, envelopes) =>
      heard.push({ session: id, names: envelopes.map(nameOf), alsoPublished: at.published.has(id) }),
    );
    await log.append({ sessionId: session, fence: null, events: [note('one'), note('two')] });
    expect(heard).toEqual([{ session, names: ['one', 'two'], alsoPublished: true }]);
  });

  test('a listener that throws keeps no other from hearing', async () => {
    const [session = ''] = sessions;
    const heard: string[] = [];
    log.listen(() => {
      throw new Error('broken');
    });
    log.listen((_, envelopes) => heard.push(...envelopes.map(nameOf)));
    expect(await log.append({ sessionId: session, fence: null, events: [note('one')] })).toMatchObject({
      appended: true,
    });
    expect(heard).toEqual(['one']);
  });

  test('ids are 1..n without gap over many writers and sessions, in the order of each writer', async () => {
    const writers = [log, at.newWriter(), at.newWriter(), at.newWriter()];
    const pending: Promise<unknown>[] = [];
    for (let round = 0; round < 100; round++) {
      for (const [index, writer] of writers.entries()) {
        for (const sessionId of sessions)
          pending.push(writer.append({ sessionId, fence: null, events: [note(`${index}:${round}`)] }));
      }
      if (round % 10 === 0) await new Promise(setImmediate);
    }
    await Promise.all(pending);
    for (const sessionId of sessions) {
      const events = await at.read(sessionId);
      expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
      for (const index of writers.keys()) {
        const own = events.map(nameOf).filter((name) => name.startsWith(`${index}:`));
        expect(own).toEqual(Array.from({ length: 100 }, (_, round) => `${index}:${round}`));
      }
    }
    await Promise.all(writers.slice(1).map((writer) => writer.close()));
  }, 60_000);

  test('what is at.published is what is read, byte for byte, and in order', async () => {
    const [sessionId] = sessions as [string];
    const payload = {
      namespace: 'ctl',
      name: 'a\u0000b \ud800 \u2028 é 🎉',
      data: { z: 1, a: { '10': 1, '9': 2 }, list: [null, -0, 1e21, ''] },
      absent: undefined,
    };
    await log.append({ sessionId, fence: null, events: [{ kind: 'custom', turn: null, originator: SYSTEM, payload }] });
    await Promise.all(['x', 'y', 'z'].map((name) => log.append({ sessionId, fence: null, events: [note(name)] })));
    const stored = await at.read(sessionId);
    expect(stored.map((event) => JSON.stringify(event))).toEqual(
      at.published.get(sessionId)?.map((event) => JSON.stringify(event)),
    );
    expect(stored).toHaveLength(4);
    expect(Object.keys(stored[0] as Envelope)).toEqual([
      'id',
      'kind',
      'session',
      'turn',
      'originator',
      'ts',
      'payload',
    ]);
    expect((stored[0] as Envelope).payload).toEqual(JSON.parse(JSON.stringify(payload)));
  });

  test('one waiting event is one statement on one connection', async () => {
    const statements: string[] = [];
    const pool = flakyPool(at.database.eventPool, (sql) => (statements.push(sql), 'ok'));
    const single = new EventLogWriter({ pool, onCommitted: () => undefined });
    await single.append({ sessionId: sessions[0] as string, fence: null, events: [note('alone')] });
    expect(statements).toHaveLength(1);
    await single.close();
  });

  test('what arrives while a write is under way goes with the next one, over all sessions', async () => {
    const statements: string[] = [];
    const pool = flakyPool(at.database.eventPool, (sql) => (statements.push(sql), 'ok'));
    const single = new EventLogWriter({ pool, onCommitted: () => undefined });
    const first = single.append({ sessionId: sessions[0] as string, fence: null, events: [note('first')] });
    await new Promise(setImmediate);
    const later = sessions.flatMap((sessionId) =>
      ['a', 'b'].map((name) => single.append({ sessionId, fence: null, events: [note(name)] })),
    );
    await Promise.all([first, ...later]);
    expect(statements).toHaveLength(2);
    expect((await at.read(sessions[0] as string)).map(nameOf)).toEqual(['first', 'a', 'b']);
    await single.close();
  });

  test('deltas of one block join while they wait, in order and within their block', async () => {
    const [sessionId] = sessions as [string];
    const first = log.append({ sessionId, fence: null, events: [delta('0')] });
    await new Promise(setImmediate);
    const results = await Promise.all([
      first,
      ...['1', '2', '3'].map((text) => log.append({ sessionId, fence: null, events: [delta(text)] })),
      log.append({ sessionId, fence: null, events: [delta('4', 1), delta('5', 1), note('n'), delta('6', 1)] }),
    ]);
    const stored = await at.read(sessionId);
    expect(stored.map(({ payload }) => (payload as { text?: string }).text ?? 'note')).toEqual([
      '0',
      '123',
      '45',
      'note',
      '6',
    ]);
    const ids = results.map((result) => (result.appended ? result.events.map(({ id }) => id) : result.reason));
    expect(ids).toEqual([[1], [2], [2], [2], [3, 4, 5]]);
    expect(at.published.get(sessionId)).toEqual(stored);
  });

  test('an item with an outdated fence is dropped alone', async () => {
    const [fenced, other] = sessions as [string, string];
    await at.database.pool.query('UPDATE session_cursor SET fence = 7 WHERE session_id = $1', [fenced]);
    const results = await Promise.all([
      log.append({ sessionId: fenced, fence: 6n, events: [note('stale')] }),
      log.append({ sessionId: fenced, fence: 7n, events: [note('current')] }),
      log.append({ sessionId: fenced, fence: null, events: [note('person')] }),
      log.append({ sessionId: other, fence: 0n, events: [note('other')] }),
      log.append({ sessionId: 'sess_unknown', fence: null, events: [note('nowhere')] }),
    ]);
    expect(results.map((result) => (result.appended ? 'written' : result.reason))).toEqual([
      'fenced',
      'written',
      'written',
      'written',
      'unknown_session',
    ]);
    expect((await at.read(fenced)).map(nameOf)).toEqual(['current', 'person']);
    expect((await at.read(other)).map(nameOf)).toEqual(['other']);
  });

  test('an item that Postgres refuses is lost alone', async () => {
    const poison: NewEvent = { ...note('poison'), turn: 'turn_\0' };
    const appended = sessions.flatMap((sessionId, index) =>
      ['a', 'b', 'c'].map((name) =>
        log.append({ sessionId, fence: null, events: [name === 'b' && index % 3 === 0 ? poison : note(name)] }),
      ),
    );
    const results = await Promise.allSettled(appended);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    for (const [index, sessionId] of sessions.entries()) {
      const events = await at.read(sessionId);
      expect(events.map(nameOf)).toEqual(index % 3 === 0 ? ['a', 'c'] : ['a', 'b', 'c']);
      expect(events.map(({ id }) => id)).toEqual(events.map((_, position) => position + 1));
    }
  });

  test('a transition and its events are one: refused, failed or fenced, nothing of it stays', async () => {
    const [sessionId] = sessions as [string];
    const rename =
      (title: string, verdict: boolean | Error) =>
      async (tx: { query(sql: string, values: unknown[]): Promise<unknown> }) => {
        await tx.query('UPDATE session SET title = $2 WHERE id = $1', [sessionId, title]);
        if (verdict instanceof Error) throw verdict;
        return verdict;
      };
    const results = await Promise.allSettled([
      log.append({ sessionId, fence: null, events: [note('before')] }),
      log.append({ sessionId, fence: null, events: [note('refused')], transition: rename('refused', false) }),
      log.append({ sessionId, fence: null, events: [note('failed')], transition: rename('failed', new Error('no')) }),
      log.append({ sessionId, fence: 3n, events: [note('fenced')], transition: rename('fenced', true) }),
      log.append({ sessionId, fence: null, events: [note('done')], transition: rename('done', true) }),
      log.append({ sessionId, fence: null, events: [], transition: async () => [note('noted'), note('noted too')] }),
      log.append({ sessionId, fence: null, events: [note('after')] }),
    ]);
    expect(
      results.map((result) =>
        result.status === 'rejected' ? 'failed' : result.value.appended ? 'written' : result.value.reason,
      ),
    ).toEqual(['written', 'transition_refused', 'failed', 'fenced', 'written', 'written', 'written']);
    expect((await at.read(sessionId)).map(nameOf)).toEqual(['before', 'done', 'noted', 'noted too', 'after']);
    expect((await at.database.pool.query('SELECT title FROM session WHERE id = $1', [sessionId])).rows).toEqual([
      { title: 'done' },
    ]);
  });

  test('a payload that is too large is spilled, without losing its place, and is stored whole when that fails', async () => {
    const [sessionId] = sessions as [string];
    const large: NewEvent = {
      kind: 'custom',
      turn: null,
      originator: SYSTEM,
      payload: { namespace: 't', name: 'large', data: 'x'.repeat(PAYLOAD_LIMIT_BYTES) },
    };
    let fails = false;
    const spilling = new EventLogWriter({
      pool: at.database.eventPool,
      onCommitted: () => undefined,
      spill: async (session, event, bytes) => {
        await new Promise(setImmediate);
        if (fails) throw new Error('the blob store is away');
        return { ...event, payload: { ...event.payload, data: { session, bytes } } } as NewEvent;
      },
    });
    await Promise.all(
      [large, note('small')].map((event) => spilling.append({ sessionId, fence: null, events: [event] })),
    );
    fails = true;
    await spilling.append({ sessionId, fence: null, events: [large] });
    expect((await at.read(sessionId)).map(({ payload }) => payload)).toEqual([
      { namespace: 't', name: 'large', data: { session: sessionId, bytes: JSON.stringify(large.payload).length } },
      note('small').payload,
      large.payload,
    ]);
    await spilling.close();
  });

  test('closing writes what waits and takes nothing more', async () => {
    const [sessionId] = sessions as [string];
    const last = log.append({ sessionId, fence: null, events: [note('last')] });
    await log.close();
    expect(await last).toMatchObject({ appended: true });
    await expect(log.append({ sessionId, fence: null, events: [note('too late')] })).rejects.toThrow(
      EventLogClosedError,
    );
  });
});
