import { SYSTEM, type NewEvent } from '@chirality/contracts';
import {
  buildSession,
  buildTurn,
  buildWorker,
  buildWorld,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { EventRepository } from '../event/event.repository';
import { insertPermission } from '../permission/open-permission';
import { ToolCallRepository } from '../ledger/tool-call.repository';
import { applyTransition } from './apply-transition';
import type { ClaimedTurn } from './claim-turn';
import { TurnClaimRepository } from './turn-claim.repository';
import { TurnInterruptRepository } from './turn-interrupt.repository';
import { TurnSettlementRepository } from './turn-settlement.repository';
import { TurnRepository } from './turn.repository';

describe('running a turn', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let worker: Awaited<ReturnType<typeof buildWorker>>;
  let log: EventLogWriter;
  let turns: TurnRepository;
  let claims: TurnClaimRepository;
  let settlements: TurnSettlementRepository;
  let interrupts: TurnInterruptRepository;

  const kinds = async (session = world.session.id) =>
    (await new EventRepository(database).readEvents(session, { after: 0, limit: 500 })).map(({ kind }) => kind);
  const note = (turn: string): NewEvent => ({
    kind: 'turn:notice',
    turn,
    originator: SYSTEM,
    payload: { level: 'info', code: 'TEST', text: 'x' },
  });
  const claim = async (): Promise<ClaimedTurn> => {
    const claimed = await claims.claimNext(worker);
    if (!claimed) throw new Error('nothing to claim');
    return claimed;
  };
  const queued = () => buildTurn(database.pool, { session: world.session, authorId: world.owner.id });
  const move = (
    claimed: ClaimedTurn,
    cause: 'spawned' | 'permission_asked' | 'permission_settled' | 'result' | 'retry',
    attempt = claimed.attempt,
  ) => applyTransition(database.pool, { turnId: claimed.id, cause, attempt, fence: claimed.fence });
  const settle = (claimed: ClaimedTurn, fields: object = {}) =>
    settlements.settle({
      sessionId: claimed.sessionId,
      turnId: claimed.id,
      cause: 'succeed',
      attempt: claimed.attempt,
      fence: claimed.fence,
      fenced: true,
      ...fields,
    });

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.pool.query(`DELETE FROM turn`);
    world = await buildWorld(database.pool);
    worker = await buildWorker(database.pool);
    log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
    turns = new TurnRepository(database);
    claims = new TurnClaimRepository(database);
    settlements = new TurnSettlementRepository(database, log);
    interrupts = new TurnInterruptRepository(database, log);
  });
  afterEach(() => log.close());

  test('the status moves along the table only, and only for the attempt that owns it', async () => {
    await queued();
    const claimed = await claim();
    expect(await move(claimed, 'result')).toBe(false);
    expect(await move(claimed, 'spawned')).toBe(true);
    expect(await move(claimed, 'spawned')).toBe(false);
    expect(await move({ ...claimed, fence: claimed.fence - 1n }, 'result')).toBe(false);
    expect(await move(claimed, 'permission_asked')).toBe(true);
    expect(
      await applyTransition(database.pool, {
        turnId: claimed.id,
        from: 'running',
        cause: 'result',
        attempt: 1,
        fence: claimed.fence,
      }),
    ).toBe(false);
    expect(await move(claimed, 'permission_settled')).toBe(true);
    expect(await move(claimed, 'retry')).toBe(true);
    expect(await turns.find(world.session.id, claimed.id)).toMatchObject({ status: 'starting', attempt: 2 });
    expect(await move(claimed, 'spawned')).toBe(false);
    expect(await move(claimed, 'spawned', 2)).toBe(true);
  });

  test('a settlement ends open permissions, then the turn; nothing fenced comes after it', async () => {
    await queued();
    const claimed = await claim();
    await move(claimed, 'spawned');
    const permissionIds = ['perm_1', 'perm_2'];
    for (const id of permissionIds) {
      await insertPermission(database.pool, {
        id,
        sessionId: claimed.sessionId,
        turnId: claimed.id,
        kind: 'tool',
        toolUseId: id,
        tool: 'Bash',
        input: {},
        reason: 'r',
        pattern: null,
      });
    }
    const exit: NewEvent = {
      kind: 'process:exit',
      turn: claimed.id,
      originator: SYSTEM,
      payload: { code: 0, signal: null, attempt: 1, final: true },
    };
    const written = [
      log.append({ sessionId: claimed.sessionId, fence: claimed.fence, events: [note(claimed.id)] }),
      settle(claimed, { events: [exit], set: { text: 'Done \u0000', degraded: true } }),
    ];
    const late = log.append({ sessionId: claimed.sessionId, fence: claimed.fence, events: [note(claimed.id)] });
    const [, settled] = await Promise.all(written);
    expect(await late).toEqual({ appended: false, reason: 'fenced' });
    expect(await settle(claimed)).toEqual({ appended: false, reason: 'transition_refused' });
    expect(await kinds()).toEqual([
      'turn:notice',
      'permission:resolve',
      'permission:resolve',
      'process:exit',
      'turn:end',
    ]);
    if (!settled?.appended) throw new Error('not settled');
    expect(settled.events.at(-1)).toMatchObject({ kind: 'turn:end', payload: { status: 'completed', costUsd: '0' } });
    expect(await turns.find(world.session.id, claimed.id)).toMatchObject({
      status: 'completed',
      text: 'Done \u0000',
      degraded: true,
      error: null,
    });
    const { rows } = await database.pool.query(
      'SELECT active_session_id, message_cipher, ended_at IS NOT NULL AS ended FROM turn WHERE id = $1',
      [claimed.id],
    );
    expect(rows).toEqual([{ active_session_id: null, message_cipher: null, ended: true }]);
  });

  test('a turn whose execution broke off is ended as failed, whatever it had come to, by its worker alone', async () => {
    await queued();
    const claimed = await claim();
    await move(claimed, 'spawned');
    await move(claimed, 'retry');
    const turn = { turnId: claimed.id, workerId: worker.id };
    expect(await settlements.failBroken({ ...turn, workerId: 'worker_other' })).toBe(false);
    expect(await settlements.failBroken(turn)).toBe(true);
    expect(await turns.find(claimed.sessionId, claimed.id)).toMatchObject({
      status: 'failed',
      attempt: 2,
      error: { code: 'HARNESS_FAILURE' },
    });
    expect(await kinds()).toEqual(['session:error', 'process:exit', 'turn:end']);
    expect(await settlements.failBroken(turn)).toBe(false);
    expect(
      await log.append({ sessionId: claimed.sessionId, fence: claimed.fence, events: [note(claimed.id)] }),
    ).toEqual({ appended: false, reason: 'fenced' });
  });

  test('of ten settlements at once one counts', async () => {
    await queued();
    const claimed = await claim();
    await move(claimed, 'spawned');
    const causes = ['succeed', 'fail', 'interrupt', 'time_out', 'lose_worker'] as const;
    const other = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
    const results = await Promise.all(
      [...causes, ...causes].map((cause, index) =>
        new TurnSettlementRepository(database, index % 2 ? log : other).settle({
          sessionId: claimed.sessionId,
          turnId: claimed.id,
          cause,
          attempt: 1,
          fence: claimed.fence,
          fenced: index % 3 === 0,
        }),
      ),
    );
    expect(results.filter(({ appended }) => appended)).toHaveLength(1);
    expect(await kinds()).toEqual(['turn:end']);
    await other.close();
  });

  test('an interrupt works at every moment and may be repeated', async () => {
    const turn = await queued();
    const interrupt = () => interrupts.request({ turnId: turn.id, userId: world.owner.id, originator: SYSTEM });
    const claimed = await claim();
    expect(await interrupt()).toEqual({ outcome: 'requested', sessionId: world.session.id, workerId: worker.id });
    expect(await interrupt()).toEqual({ outcome: 'requested', sessionId: world.session.id, workerId: worker.id });
    expect(await turns.readSignals(worker.id)).toEqual({
      interrupts: [{ sessionId: world.session.id, turnId: turn.id, userId: world.owner.id }],
      answered: [],
    });
    const settled = await settle(claimed, { cause: 'interrupt' });
    expect(settled.appended && settled.events.at(-1)).toMatchObject({
      kind: 'turn:end',
      payload: { status: 'interrupted', by: { userId: world.owner.id } },
    });
    expect(await interrupt()).toEqual({ outcome: 'already_final' });
    expect(await turns.readSignals(worker.id)).toEqual({ interrupts: [], answered: [] });
  });

  test('a queued turn is either cancelled or claimed, never both', async () => {
    for (let round = 0; round < 30; round++) {
      const session = await buildSession(database.pool, {
        teamId: world.team.id,
        projectId: world.project.id,
        ownerId: world.owner.id,
      });
      const turn = await buildTurn(database.pool, { session, authorId: world.owner.id });
      const [interrupted, claimed] = await Promise.all([
        interrupts.request({ turnId: turn.id, userId: world.owner.id, originator: SYSTEM }),
        claims.claimNext(worker),
      ]);
      const events = await kinds(session.id);
      if (interrupted.outcome === 'cancelled') {
        expect({ claimed, events }).toEqual({ claimed: null, events: ['turn:end'] });
      } else {
        expect({ interrupted, claimed, events }).toMatchObject({
          interrupted: { outcome: 'requested' },
          claimed: { id: turn.id },
          events: [],
        });
        expect((await turns.readSignals(worker.id)).interrupts.map(({ turnId }) => turnId)).toContain(turn.id);
        await settle(claimed as ClaimedTurn, { cause: 'interrupt' });
      }
    }
  });

  test('the ledger takes a call before it runs, and refuses it once the attempt is over', async () => {
    await queued();
    const claimed = await claim();
    await move(claimed, 'spawned');
    const ledger = new ToolCallRepository(database);
    const call = {
      turnId: claimed.id,
      sessionId: claimed.sessionId,
      attempt: 1,
      fence: claimed.fence,
      toolUseId: 'toolu_1',
      name: 'Read',
      input: { a: '\u0000' },
      mutating: false,
      decision: 'allow' as const,
    };
    expect(await ledger.openToolCall(call)).toBe(true);
    expect(
      await database.pool
        .query('SELECT mutating_tool_started AS it FROM turn WHERE id = $1', [claimed.id])
        .then(({ rows }) => rows[0].it),
    ).toBe(false);
    expect(
      await ledger.openToolCall({ ...call, toolUseId: 'toolu_2', name: 'Bash', mutating: true, decision: 'ask' }),
    ).toBe(true);
    expect(
      await ledger.openToolCall({ ...call, toolUseId: 'toolu_3', name: 'Bash', mutating: true, decision: 'ask' }),
    ).toBe(true);
    expect(await ledger.markAllowed(call, 'toolu_2')).toBe(true);
    expect(
      await database.pool
        .query('SELECT mutating_tool_started AS it FROM turn WHERE id = $1', [claimed.id])
        .then(({ rows }) => rows[0].it),
    ).toBe(true);
    await ledger.closeToolCall(claimed.id, 'toolu_1', 'ok');
    await settle(claimed, { cause: 'fail' });
    expect(await ledger.openToolCall({ ...call, toolUseId: 'toolu_4' })).toBe(false);
    expect(await ledger.markAllowed(call, 'toolu_3')).toBe(false);
  });

  test('a session lists its turns latest first, in pages, and shows none of another', async () => {
    const other = await buildWorld(database.pool);
    const foreign = await buildTurn(database.pool, { session: other.session, authorId: other.owner.id });
    const ids = [];
    for (let index = 0; index < 5; index++) {
      ids.unshift(
        (
          await buildTurn(database.pool, {
            session: world.session,
            authorId: world.owner.id,
            status: 'completed',
            workerId: worker.id,
          })
        ).id,
      );
    }
    const first = await turns.list(world.session.id, { limit: 3 });
    const second = await turns.list(world.session.id, { limit: 3, cursor: first.nextCursor ?? '' });
    expect([first, second].map(({ data }) => data.map(({ id }) => id))).toEqual([ids.slice(0, 3), ids.slice(3)]);
    expect(second.nextCursor).toBeNull();
    expect(await turns.find(world.session.id, foreign.id)).toBeNull();
    expect(await turns.queueState()).toMatchObject({ queued: 1, running: 0, waiting: 0 });
  });
});
