import { isFinal } from '@chirality/domain';
import {
  buildWorld,
  flakyPool,
  Random,
  seedFrom,
  startTestPostgres,
  type StatementFate,
  type TestPostgres,
  waitFor,
} from '@chirality/testing';
import { createDatabase, EventLogWriter, isDatabaseUnavailable, migrateDatabase, type Database } from '../../src';
import { MisfortuneActor, PersonActor, WorkerActor, type Actor, type Testimony } from './actors';
import { assertLaws } from './laws';
import { PostgresStore } from './postgres-store';
import type { StoredEvent } from './turn-store';

const INTERLEAVINGS = Number(process.env['CHIRALITY_TEST_INTERLEAVINGS'] ?? 2_000);
/** Databases that are worked on side by side: a claim takes what it finds, so each runs one interleaving at a time. */
const LANES = 4;
const FAULTS: StatementFate[] = ['lost-before', 'lost-after', 'still-running'];

/**
 * Acts that happen at once: an actor does one thing after the other, but waits for no other. Who stands twice is twice
 * as busy.
 */
async function runAtOnce(actors: Actor[], random: Random, steps: number): Promise<void> {
  const busy = new Map<Actor, Promise<void>>();
  for (let step = 0; step < steps; step++) {
    const idle = actors.filter((actor) => !busy.has(actor));
    if (idle.length === 0 || (busy.size > 0 && random.chance(0.5))) await Promise.race(busy.values());
    const actor = random.pick(actors.filter((each) => !busy.has(each)));
    const act = actor
      .step()
      .catch(ignoreUnavailable)
      .finally(() => busy.delete(actor));
    busy.set(actor, act);
  }
  await Promise.all(busy.values());
}

function ignoreUnavailable(error: unknown): void {
  if (!isDatabaseUnavailable(error)) throw error;
}

class Lane {
  private faults = new Random(0);
  private faultProbability = 0;
  private writers!: Record<'a' | 'b' | 'api', EventLogWriter>;
  private world!: Awaited<ReturnType<typeof buildWorld>>;
  private readonly published = new Map<string, number[]>();

  private constructor(private readonly database: Database) {}

  static async open(postgres: TestPostgres): Promise<Lane> {
    const url = await postgres.createDatabase();
    await migrateDatabase(url);
    const lane = new Lane(createDatabase({ url, poolSize: 8 }));
    lane.world = await buildWorld(lane.database.pool);
    // Two processes write: one worker in the one, the other worker beside the api in the other.
    const [first, second] = [lane.newWriter(), lane.newWriter()];
    lane.writers = { a: first, b: second, api: second };
    return lane;
  }

  async run(seed: number): Promise<void> {
    const random = new Random(seed);
    const told: Testimony = { written: [], refused: [], accepted: [] };
    const pool = flakyPool(this.database.pool, () => this.fate());
    const store = await PostgresStore.open({
      calm: this.database,
      pool,
      writers: this.writers,
      world: this.world,
      random,
    });
    const workers = [new WorkerActor('a', store, random, told), new WorkerActor('b', store, random, told)];
    this.faults = new Random(seed);
    this.faultProbability = 0.03;
    await runAtOnce(
      [...workers, ...workers, new PersonActor(store, random, told, 2), new MisfortuneActor(store, random, workers)],
      random,
      6 + random.below(14),
    );
    this.faultProbability = 0;
    // A connection that was given up may hold the reconciler's lock until its backend is gone, so this may take a
    // while.
    await waitFor(
      async () => {
        for (let round = 0; round < 3; round++) await Promise.all(workers.map((worker) => worker.finish()));
        // A statement that was given up may take effect as long as its connection is not closed: a turn may be accepted
        // yet.
        if (this.isAtWork) return false;
        if ((await store.turns()).every(({ status }) => isFinal(status))) return true;
        await store.reconcile();
        return false;
      },
      { what: 'every turn comes to its end', timeoutMs: 30_000 },
    ).catch(async (error: Error) => {
      throw new Error(`${error.message}; ${await this.describe(store)}`, { cause: error });
    });
    await Promise.all([this.writers.a.flush(), this.writers.b.flush()]);
    const events = await store.events();
    assertLaws(await store.turns(), events, told);
    assertPublished(events, this.published.get(store.sessionId) ?? []);
  }

  /** What a turn that does not end waits for, as far as can be seen from outside. */
  private async describe(store: PostgresStore): Promise<string> {
    const pools = [this.database.pool, this.database.eventPool].map(({ totalCount, idleCount }) => ({
      totalCount,
      idleCount,
    }));
    return JSON.stringify({ pools, ...(await store.describe()) });
  }

  async close(): Promise<void> {
    await Promise.all([this.writers.a.close(), this.writers.b.close()]);
    await this.database.close();
  }

  private get isAtWork(): boolean {
    return [this.database.pool, this.database.eventPool].some(({ totalCount, idleCount }) => totalCount > idleCount);
  }

  private newWriter(): EventLogWriter {
    return new EventLogWriter({
      pool: flakyPool(this.database.eventPool, () => this.fate()),
      onCommitted: (session, events) =>
        this.published.set(session, [...(this.published.get(session) ?? []), ...events.map(({ id }) => id)]),
    });
  }

  private fate(): StatementFate {
    return this.faults.chance(this.faultProbability) ? this.faults.pick(FAULTS) : 'ok';
  }
}

/** Each event was published once; only one whose acceptance was never answered may not have been published. */
function assertPublished(events: StoredEvent[], published: number[]): void {
  if (new Set(published).size !== published.length)
    throw new Error(`an event was published twice: ${published.join()}`);
  const untold = events.filter(({ id, kind }) => kind !== 'turn:queued' && !published.includes(id));
  if (untold.length > 0) throw new Error(`event ${untold[0]?.id} was not published`);
}

describe('turns under random interleavings on Postgres', () => {
  let postgres: TestPostgres;
  let lanes: Lane[];

  beforeAll(async () => {
    postgres = await startTestPostgres({ settings: { max_connections: '120' } });
    lanes = await Promise.all(Array.from({ length: LANES }, () => Lane.open(postgres)));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(lanes.map((lane) => lane.close()));
    await postgres.stop();
  });

  test(`the laws hold for ${INTERLEAVINGS} of them, with two writers and connections that are lost`, async () => {
    const first = seedFrom('CHIRALITY_TEST_SEED');
    let next = first;
    const work = async (lane: Lane) => {
      while (next < first + INTERLEAVINGS) {
        const seed = next++;
        await lane.run(seed).catch((error: Error) => {
          throw new Error(`CHIRALITY_TEST_SEED=${seed} CHIRALITY_TEST_INTERLEAVINGS=1: ${error.message}`, {
            cause: error,
          });
        });
      }
    };
    await Promise.all(lanes.map(work));
    process.stdout.write(`seeds ${first}..${next - 1}\n`);
    expect(next).toBe(first + INTERLEAVINGS);
  }, 600_000);
});
