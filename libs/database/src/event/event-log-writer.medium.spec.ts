import type { Envelope, NewEvent } from '@chirality/contracts';
import { SYSTEM } from '@chirality/contracts';
import { buildSession, buildWorld, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { EventLogWriter } from './event-log-writer';
import { EventRepository } from './event.repository';

const note = (name: string): NewEvent => ({ kind: 'custom', turn: null, originator: SYSTEM, payload: { namespace: 'test', name, data: null } });
const nameOf = (envelope: Envelope) => (envelope.payload as { name: string }).name;

describe('appending to the event log', () => {
  let database: TestDatabase;
  let sessions: string[];
  let published: Map<string, Envelope[]>;
  let log: EventLogWriter;

  const newWriter = () =>
    new EventLogWriter({
      pool: database.eventPool,
      onCommitted: (session, envelopes) => published.set(session, [...(published.get(session) ?? []), ...envelopes]),
    });
  const read = (session: string) => new EventRepository(database).readEvents(session, { after: 0, limit: 100_000 });

  beforeAll(async () => {
    database = await startTestDatabase();
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    published = new Map();
    log = newWriter();
    const world = await buildWorld(database.pool);
    const more = await Promise.all(
      Array.from({ length: 7 }, () => buildSession(database.pool, { teamId: world.team.id, projectId: world.project.id, ownerId: world.owner.id })),
    );
    sessions = [world.session.id, ...more.map(({ id }) => id)];
  });
  afterEach(() => log.close());

  test('ids are 1..n without gap over many writers and sessions, in the order of each writer', async () => {
    const writers = [log, newWriter(), newWriter(), newWriter()];
    const pending: Promise<unknown>[] = [];
    for (let round = 0; round < 100; round++) {
      for (const [index, writer] of writers.entries()) {
        for (const sessionId of sessions) pending.push(writer.append({ sessionId, fence: null, events: [note(`${index}:${round}`)] }));
      }
      if (round % 10 === 0) await new Promise(setImmediate);
    }
    await Promise.all(pending);
    for (const sessionId of sessions) {
      const events = await read(sessionId);
      expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
      for (const index of writers.keys()) {
        const own = events.map(nameOf).filter((name) => name.startsWith(`${index}:`));
        expect(own).toEqual(Array.from({ length: 100 }, (_, round) => `${index}:${round}`));
      }
    }
    await Promise.all(writers.slice(1).map((writer) => writer.close()));
  }, 60_000);

  test('what is published is what is read, byte for byte, and in order', async () => {
    const [sessionId] = sessions as [string];
    const payload = { namespace: 'ctl', name: 'a\u0000b \ud800 \u2028 é 🎉', data: { z: 1, a: { '10': 1, '9': 2 }, list: [null, -0, 1e21, ''] }, absent: undefined };
    await log.append({ sessionId, fence: null, events: [{ kind: 'custom', turn: null, originator: SYSTEM, payload }] });
    await Promise.all(['x', 'y', 'z'].map((name) => log.append({ sessionId, fence: null, events: [note(name)] })));
    const stored = await read(sessionId);
    expect(stored.map((event) => JSON.stringify(event))).toEqual(published.get(sessionId)?.map((event) => JSON.stringify(event)));
    expect(stored).toHaveLength(4);
    expect(Object.keys(stored[0] as Envelope)).toEqual(['id', 'kind', 'session', 'turn', 'originator', 'ts', 'payload']);
    expect((stored[0] as Envelope).payload).toEqual(JSON.parse(JSON.stringify(payload)));
  });
});
