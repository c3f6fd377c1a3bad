import { SYSTEM, type Envelope, type NewEvent } from '@chirality/contracts';
import { buildSession, buildWorld, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { EventLogWriter } from '../src/event/event-log-writer';
import { EventRepository } from '../src/event/event.repository';

const SESSIONS = 8;

export const note = (name: string): NewEvent => ({
  kind: 'custom',
  turn: null,
  originator: SYSTEM,
  payload: { namespace: 'test', name, data: null },
});
export const nameOf = (envelope: Envelope) => (envelope.payload as { name: string }).name;

/** An event log on a real Postgres, with eight new sessions for each test; what it published stands by session. */
export class LogAtWork {
  log!: EventLogWriter;
  sessions: string[] = [];
  published = new Map<string, Envelope[]>();

  private constructor(readonly database: TestDatabase) {}

  static async start(): Promise<LogAtWork> {
    return new LogAtWork(await startTestDatabase());
  }

  async begin(): Promise<void> {
    this.published = new Map();
    this.log = this.newWriter();
    const world = await buildWorld(this.database.pool);
    const fields = { teamId: world.team.id, projectId: world.project.id, ownerId: world.owner.id };
    const more = await Promise.all(
      Array.from({ length: SESSIONS - 1 }, () => buildSession(this.database.pool, fields)),
    );
    this.sessions = [world.session.id, ...more.map(({ id }) => id)];
  }

  newWriter(): EventLogWriter {
    const { published } = this;
    return new EventLogWriter({
      pool: this.database.eventPool,
      onCommitted: (session, envelopes) => published.set(session, [...(published.get(session) ?? []), ...envelopes]),
    });
  }

  read(session: string): Promise<Envelope[]> {
    return new EventRepository(this.database).readEvents(session, { after: 0, limit: 100_000 });
  }
}
