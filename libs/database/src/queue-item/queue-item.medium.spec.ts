import type { Turn } from '@chirality/contracts';
import { buildWorker, buildWorld, flakyPool, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { EventRepository } from '../event/event.repository';
import { TurnAcceptanceRepository, type TurnToAccept } from '../turn/turn-acceptance.repository';
import { TurnRepository } from '../turn/turn.repository';
import { TurnSettlementRepository } from '../turn/turn-settlement.repository';
import type { NewQueueItem } from './add-queue-item';
import { QueueItemRepository } from './queue-item.repository';

describe('the messages that wait in a session', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let log: EventLogWriter;
  let items: QueueItemRepository;
  let acceptance: TurnAcceptanceRepository;
  let turns: TurnRepository;

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    world = await buildWorld(database.pool);
    await buildWorker(database.pool);
    log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
    items = new QueueItemRepository(database, log);
    acceptance = new TurnAcceptanceRepository(database, log);
    turns = new TurnRepository(database);
  });
  afterEach(() => log.close());

  const author = () => ({ userId: world.owner.id, name: 'Owner', identityClass: 'human' as const });
  const originator = () => ({ userId: world.owner.id, clientId: 'cli_1', identityClass: 'human' as const });
  const add = (message: string, more: Partial<NewQueueItem> = {}) =>
    items.add(
      {
        session: world.session,
        author: author(),
        originator: originator(),
        clientId: 'cli_1',
        tokenId: null,
        message,
        messageCipher: Buffer.from(message),
        attachments: [],
        options: {},
        outputSchema: null,
        urgent: false,
        idempotency: undefined,
        ...more,
      },
      20,
    );
  const queued = async (message: string) => {
    const outcome = await add(message);
    if (outcome.outcome !== 'queued') throw new Error(`${message}: ${outcome.outcome}`);
    return outcome.item;
  };
  const accept = (fields: Partial<TurnToAccept> = {}, at = acceptance) =>
    at.accept({
      session: world.session,
      kind: 'message',
      message: 'first',
      messageCipher: Buffer.from('sealed'),
      options: {},
      author: author(),
      originator: originator(),
      ...fields,
    });
  const endTurn = ({ id, attempt }: Pick<Turn, 'id' | 'attempt'>) =>
    new TurnSettlementRepository(database, log).settle({
      sessionId: world.session.id,
      turnId: id,
      from: 'queued',
      cause: 'cancel',
      attempt,
      fence: 0n,
      fenced: false,
    });
  const end = async () => {
    const active = await turns.findActive(world.session.id);
    if (!active) throw new Error('no turn runs');
    return endTurn(active);
  };
  const dueNow = async () => (await items.listDue(10)).find(({ item }) => item.sessionId === world.session.id);

  it('stop waiting in the commit that makes them a turn: of many that try, one does', async () => {
    await accept();
    const item = await queued('second');
    expect(await accept({ message: 'second', item: { id: item.id, version: 1 } })).toMatchObject({ outcome: 'busy' });
    await end();
    // A turn that never ran because of its author's rights pauses nothing.
    expect((await items.list(world.session.id)).paused).toBeNull();
    expect(await accept({ message: 'between' })).toEqual({ outcome: 'queue_first' });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => accept({ message: 'second', item: { id: item.id, version: 1 } })),
    );
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['accepted', ...Array<string>(9).fill('busy')]);
    expect(await items.list(world.session.id)).toEqual({ data: [], paused: null });
    await end();
    expect(await accept({ message: 'second', item: { id: item.id, version: 1 } })).toEqual({ outcome: 'item_gone' });
    const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM turn WHERE session_id = $1', [
      world.session.id,
    ]);
    expect(rows).toEqual([{ n: 2 }]);
  });

  it('are one turn where the answer to its acceptance got lost', async () => {
    await accept();
    const item = await queued('second');
    await end();
    let losses = 0;
    const flaky = flakyPool(database.pool, (sql) =>
      sql.includes('INSERT INTO turn') && losses++ === 0 ? 'lost-after' : 'ok',
    );
    const outcome = await accept(
      { message: 'second', item: { id: item.id, version: 1 } },
      new TurnAcceptanceRepository({ pool: flaky }, log),
    );
    expect(outcome.outcome).toBe('accepted');
    expect(await dueNow()).toBeUndefined();
  });

  it('run as they were read: one that is edited meanwhile is read again', async () => {
    await accept();
    const item = await queued('as read');
    await end();
    await items.change(
      item.sessionId,
      item.id,
      { message: { text: 'edited', cipher: Buffer.from('x') } },
      originator(),
    );
    expect(await accept({ message: 'as read', item: { id: item.id, version: 1 } })).toEqual({ outcome: 'item_gone' });
    const due = await dueNow();
    expect(due).toMatchObject({ item: { message: 'edited', version: 2 }, activeTurnId: null });
  });

  it('keep their order through moves that come at once, with a gapless log', async () => {
    await accept();
    const made: string[] = [];
    for (let n = 0; n < 8; n++) made.push((await queued(`${n}`)).id);
    const moves = made.map((id, at) =>
      items.change(world.session.id, id, { after: made[(at + 3) % made.length] ?? null }, originator()),
    );
    await Promise.all([...moves, add('late'), items.hasten(world.session.id, made[5] ?? '', originator())]);
    const { data } = await items.list(world.session.id);
    expect(new Set(data.map(({ id }) => id)).size).toBe(9);
    expect(data[0]?.id).toBe(made[5]);
    const { rows } = await database.pool.query<{ position: number }>(
      'SELECT position FROM queue_item WHERE session_id = $1 ORDER BY position',
      [world.session.id],
    );
    expect(rows.length).toBe(9);
    const events = await new EventRepository(database).readEvents(world.session.id, { after: 0, limit: 100 });
    expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => at + 1));
    const last = events.at(-1)?.payload as { items: { id: string }[] };
    expect(last.items.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
  });

  it('end in no deadlock where turns end, begin and change while people write', async () => {
    await accept();
    const ran: string[] = [];
    const run = async () => {
      for (let round = 0; round < 60 && ran.length < 10; round++) {
        const active = await turns.findActive(world.session.id);
        // The other loop may have ended it in between, which is no fault.
        if (active) await endTurn(active);
        const due = await dueNow();
        if (!due) continue;
        const { id, version, message } = due.item;
        const outcome = await accept({ message, item: { id, version } });
        if (outcome.outcome === 'accepted') ran.push(id);
      }
    };
    const write = async () => {
      for (let n = 0; n < 10; n++) {
        for (;;) {
          const outcome = await add(`${n}`);
          if (outcome.outcome === 'queued') {
            await items.change(outcome.item.sessionId, outcome.item.id, { after: null }, originator());
            break;
          }
          await accept();
        }
      }
    };
    await Promise.all([run(), run(), write()]);
    expect(new Set(ran).size).toBe(ran.length);
    const { rows } = await database.pool.query<{ turns: number; items: number }>(
      `SELECT count(turn_id)::int AS turns, count(DISTINCT turn_id)::int AS items FROM queue_item WHERE session_id = $1`,
      [world.session.id],
    );
    expect(rows[0]?.turns).toBe(rows[0]?.items);
    expect(rows[0]?.turns).toBe(ran.length);
  });
});
