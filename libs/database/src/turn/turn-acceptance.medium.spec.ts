import type { Envelope } from '@chirality/contracts';
import {
  buildSession,
  buildTurn,
  buildUser,
  buildWorker,
  buildWorld,
  flakyPool,
  startTestDatabase,
  type TestDatabase,
  waitFor,
} from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { EventRepository } from '../event/event.repository';
import type { TurnToAccept } from './turn-acceptance.repository';
import { TurnAcceptanceRepository } from './turn-acceptance.repository';
import { TurnClaimRepository } from './turn-claim.repository';
import { TurnInterruptRepository } from './turn-interrupt.repository';
import { TurnRepository } from './turn.repository';

describe('accepting a turn', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let log: EventLogWriter;
  let turns: TurnRepository;
  let acceptance: TurnAcceptanceRepository;
  let claims: TurnClaimRepository;
  let interrupts: TurnInterruptRepository;
  let published: Envelope[];

  const request = (fields: Partial<TurnToAccept> = {}): TurnToAccept => ({
    session: world.session,
    kind: 'message',
    message: 'Explain « this » \u0000 \ud83d',
    messageCipher: Buffer.from('sealed'),
    options: { model: { value: 'sonnet', from: 'built-in' } },
    author: { userId: world.owner.id, name: 'Owner', identityClass: 'human' },
    originator: { userId: world.owner.id, clientId: 'cli_1', identityClass: 'human' },
    ...fields,
  });
  const count = async (table: string, session = world.session.id) =>
    Number((await database.pool.query(`SELECT count(*) FROM ${table} WHERE session_id = $1`, [session])).rows[0].count);

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    world = await buildWorld(database.pool);
    published = [];
    log = new EventLogWriter({
      pool: database.eventPool,
      onCommitted: (_, envelopes) => void published.push(...envelopes),
    });
    turns = new TurnRepository(database);
    acceptance = new TurnAcceptanceRepository(database, log);
    claims = new TurnClaimRepository(database);
    interrupts = new TurnInterruptRepository(database, log);
  });
  afterEach(() => log.close());

  test('makes the turn, its event and the session’s claim on it durable together, and publishes the event as it is read', async () => {
    const accepted = await acceptance.accept(request());
    if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
    expect(await turns.find(world.session.id, accepted.turn.id)).toEqual(accepted.turn);
    expect(accepted.turn).toMatchObject({
      status: 'queued',
      message: request().message,
      position: 1,
      attempt: 0,
      costUsd: '0',
    });
    const stored = await new EventRepository(database).readEvents(world.session.id, { after: 0, limit: 10 });
    expect(stored.map((event) => JSON.stringify(event))).toEqual([JSON.stringify(accepted.event)]);
    expect(published).toEqual([accepted.event]);
    const { rows } = await database.pool.query('SELECT message_cipher, active_session_id FROM turn WHERE id = $1', [
      accepted.turn.id,
    ]);
    expect(rows).toEqual([{ message_cipher: Buffer.from('sealed'), active_session_id: world.session.id }]);
  });

  test('twenty at once with one key make one turn, also on two nodes and after the turn has ended', async () => {
    const idempotency = { key: 'k1', bodyHash: 'h1' };
    const other = new TurnAcceptanceRepository(database, log);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? acceptance : other).accept(request({ idempotency }))),
    );
    const ids = new Set(outcomes.map((outcome) => ('turn' in outcome ? outcome.turn.id : outcome.outcome)));
    expect(ids.size).toBe(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(19);
    expect([await count('turn'), await count('event'), await count('idempotency_key')]).toEqual([1, 1, 1]);

    const [id] = [...ids] as [string];
    expect(await interrupts.request({ turnId: id, userId: world.owner.id, originator: { system: true } })).toEqual({
      outcome: 'cancelled',
    });
    expect(await acceptance.accept(request({ idempotency }))).toMatchObject({
      outcome: 'replayed',
      turn: { id, status: 'cancelled' },
    });
    expect(await acceptance.accept(request({ idempotency: { key: 'k1', bodyHash: 'h2' } }))).toEqual({
      outcome: 'mismatch',
    });
    expect(await count('turn')).toBe(1);
  });

  test('a key belongs to its author and its session, and lasts a day', async () => {
    const idempotency = { key: 'k1', bodyHash: 'h1' };
    const first = await acceptance.accept(request({ idempotency }));
    if (first.outcome !== 'accepted') throw new Error(first.outcome);
    const colleague = await buildUser(database.pool, { teamId: world.team.id });
    const author = { userId: colleague.id, name: 'Colleague', identityClass: 'human' as const };
    expect(await acceptance.accept(request({ idempotency, author }))).toMatchObject({
      outcome: 'busy',
      active: { id: first.turn.id },
    });
    const session = await buildSession(database.pool, {
      teamId: world.team.id,
      projectId: world.project.id,
      ownerId: world.owner.id,
    });
    expect(await acceptance.accept(request({ idempotency, session }))).toMatchObject({ outcome: 'accepted' });

    await interrupts.request({ turnId: first.turn.id, userId: world.owner.id, originator: { system: true } });
    await database.pool.query(
      `UPDATE idempotency_key SET expires_at = now() - interval '1 second' WHERE session_id = $1`,
      [world.session.id],
    );
    const again = await acceptance.accept(request({ idempotency: { key: 'k1', bodyHash: 'h2' } }));
    expect(again).toMatchObject({ outcome: 'accepted' });
  });

  test('twenty at once without a key: one is accepted, and the others learn who holds the session', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => acceptance.accept(request())));
    const [accepted] = outcomes.filter(({ outcome }) => outcome === 'accepted');
    const busy = outcomes.filter((outcome) => outcome.outcome === 'busy');
    expect(busy).toHaveLength(19);
    if (accepted?.outcome !== 'accepted') throw new Error('none was accepted');
    for (const outcome of busy) expect(outcome).toMatchObject({ active: { id: accepted.turn.id } });
    expect([await count('turn'), await count('event')]).toEqual([1, 1]);
  });

  test('a second live turn is impossible, whatever is tried', async () => {
    await acceptance.accept(request());
    await expect(buildTurn(database.pool, { session: world.session, authorId: world.owner.id })).rejects.toThrow(
      'turn_active_session_id_key',
    );
    const other = await buildSession(database.pool, {
      teamId: world.team.id,
      projectId: world.project.id,
      ownerId: world.owner.id,
    });
    const live = await buildTurn(database.pool, { session: other, authorId: world.owner.id });
    await expect(
      database.pool.query('UPDATE turn SET active_session_id = NULL WHERE id = $1', [live.id]),
    ).rejects.toThrow('turn_live_holds_session');
    await expect(database.pool.query(`UPDATE turn SET status = 'completed' WHERE id = $1`, [live.id])).rejects.toThrow(
      'turn_live_holds_session',
    );
    await expect(database.pool.query(`UPDATE turn SET status = 'invented' WHERE id = $1`, [live.id])).rejects.toThrow(
      'turn_live_holds_session',
    );
  });

  test('an archived session takes no turn', async () => {
    await database.pool.query('UPDATE session SET archived_at = now() WHERE id = $1', [world.session.id]);
    expect(await acceptance.accept(request())).toEqual({ outcome: 'archived' });
    expect([await count('turn'), await count('event')]).toEqual([0, 0]);
  });

  test('names the live worker that alone may claim it', async () => {
    const worker = await buildWorker(database.pool);
    await database.pool.query('UPDATE session SET holder_worker_id = $2 WHERE id = $1', [world.session.id, worker.id]);
    expect(await acceptance.accept(request())).toMatchObject({ outcome: 'accepted', holderWorkerId: worker.id });
  });

  test('an answer that got lost on the way makes no second turn', async () => {
    let statements = 0;
    const pool = flakyPool(database.pool, () => (statements++ === 0 ? 'lost-after' : 'ok'));
    const outcome = await new TurnAcceptanceRepository({ pool }, log).accept(
      request({ idempotency: { key: 'k', bodyHash: 'h' } }),
    );
    expect(outcome).toMatchObject({ outcome: 'accepted', event: { id: 1, kind: 'turn:queued' } });
    expect([await count('turn'), await count('event')]).toEqual([1, 1]);
  });

  test.each([{}, { idempotency: { key: 'k', bodyHash: 'h' } }])(
    'nor does a statement that was given up and takes effect later: %o',
    async (fields) => {
      const holder = await database.pool.connect();
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM session_cursor WHERE session_id = $1 FOR UPDATE', [world.session.id]);
      let statements = 0;
      const pool = flakyPool(database.pool, () => (statements++ === 0 ? 'still-running' : 'ok'));
      const accepting = new TurnAcceptanceRepository({ pool }, log).accept(request(fields));
      const blocked = async () =>
        (
          await database.pool.query(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO turn %'",
          )
        ).rowCount;
      await waitFor(async () => (await blocked()) === 2, { what: 'the second waits for the first' });
      await holder.query('COMMIT');
      holder.release();
      expect(await accepting).toMatchObject({ outcome: 'accepted', event: { id: 1, kind: 'turn:queued' } });
      expect([await count('turn'), await count('event')]).toEqual([1, 1]);
    },
  );

  test('people and teams take turns in the queue, and the position says so', async () => {
    await database.pool.query(`DELETE FROM turn WHERE status = 'queued'`);
    const colleague = await buildUser(database.pool, { teamId: world.team.id });
    const foreign = await buildWorld(database.pool);
    const accept = async (authorId: string, { team, project }: Pick<typeof world, 'team' | 'project'>) => {
      const session = await buildSession(database.pool, { teamId: team.id, projectId: project.id, ownerId: authorId });
      const outcome = await acceptance.accept(
        request({ session, author: { userId: authorId, name: 'n', identityClass: 'human' } }),
      );
      if (outcome.outcome !== 'accepted') throw new Error(outcome.outcome);
      return outcome.turn;
    };
    const greedy = [
      await accept(world.owner.id, world),
      await accept(world.owner.id, world),
      await accept(world.owner.id, world),
    ];
    const modest = await accept(colleague.id, world);
    const abroad = await accept(foreign.owner.id, foreign);
    expect([...greedy, modest, abroad].map(({ position }) => position)).toEqual([1, 2, 3, 2, 2]);
    const found = await Promise.all([...greedy, modest, abroad].map(({ sessionId, id }) => turns.find(sessionId, id)));
    expect(found.map((turn) => turn?.position)).toEqual([1, 4, 5, 3, 2]);
    const worker = await buildWorker(database.pool);
    const claimed = [];
    for (let next = await claims.claimNext(worker); next; next = await claims.claimNext(worker)) claimed.push(next.id);
    expect(claimed).toEqual([greedy[0]?.id, abroad.id, modest.id, greedy[1]?.id, greedy[2]?.id]);
  });
});
