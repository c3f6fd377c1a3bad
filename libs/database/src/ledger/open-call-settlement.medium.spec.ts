import { newId } from '@chirality/domain';
import { buildTurn, buildWorker, buildWorld, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { EventLogWriter } from '../event/event-log-writer';
import { EventRepository } from '../event/event.repository';
import { TurnSettlementRepository } from '../turn/turn-settlement.repository';
import { ToolCallRepository } from './tool-call.repository';
import { ToolOutcomeRepository, type ToolVerdictByPerson } from './tool-outcome.repository';

type Built = Awaited<ReturnType<typeof buildTurn>>;

describe('settling a tool call with an unknown outcome', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;
  let worker: { id: string };
  let log: EventLogWriter;
  let ledger: ToolCallRepository;
  let outcomes: ToolOutcomeRepository;

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    world = await buildWorld(database.pool);
    worker = await buildWorker(database.pool);
    log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
    ledger = new ToolCallRepository(database);
    outcomes = new ToolOutcomeRepository(database, log);
  });
  afterEach(() => log.close());

  const running = () =>
    buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
  const call = (
    turn: Built,
    toolUseId: string,
    more: Partial<{ mutating: boolean; decision: 'allow' | 'ask' | 'deny' }> = {},
  ) =>
    ledger.openToolCall({
      turnId: turn.id,
      sessionId: world.session.id,
      attempt: 1,
      fence: turn.fence,
      toolUseId,
      name: 'Bash',
      input: { command: 'make' },
      mutating: true,
      decision: 'allow',
      ...more,
    });
  const lose = (turn: Built) =>
    new TurnSettlementRepository(database, log).settle({
      sessionId: world.session.id,
      turnId: turn.id,
      cause: 'fail',
      attempt: 1,
      fence: turn.fence,
      fenced: true,
    });
  const open = async () => (await outcomes.listOpen(world.session.id)).map(({ toolUseId }) => toolUseId);
  const word = (
    turn: { id: string },
    toolUseId: string,
    more: Partial<ToolVerdictByPerson> = {},
  ): ToolVerdictByPerson => ({
    sessionId: world.session.id,
    turnId: turn.id,
    toolUseId,
    outcome: 'succeeded',
    note: 'I looked',
    by: { userId: world.owner.id, name: 'Ada' },
    originator: { userId: world.owner.id, clientId: 'cli_1', identityClass: 'human' },
    ...more,
  });
  const untold = async (turn: { id: string }) =>
    (await ledger.listUntold(world.session.id, turn.id)).map(({ toolUseId, outcome, note }) => [
      toolUseId,
      outcome,
      note,
    ]);
  const reachedTheModel = (turn: { id: string }) =>
    database.pool.query(
      `INSERT INTO usage_record (id, team_id, project_id, session_id, turn_id, attempt, user_id, model, input_tokens,
        output_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, cost_usd, source)
       VALUES ($1, $2, $3, $4, $5, 1, $6, 'm', 0, 0, 0, 0, 0, 0, 'gateway')`,
      [newId('usage'), world.team.id, world.project.id, world.session.id, turn.id, world.owner.id],
    );

  test('only calls that may have changed something are open, and only once their turn is over', async () => {
    const turn = await running();
    await call(turn, 'ran');
    await call(turn, 'read', { mutating: false });
    await call(turn, 'asked', { decision: 'ask' });
    await call(turn, 'refused', { decision: 'deny' });
    await call(turn, 'closed');
    await ledger.closeToolCall(turn.id, 'closed', 'error');
    expect(await open()).toEqual([]);
    expect(await outcomes.settleByPerson(word(turn, 'ran'))).toBe(false);
    await lose(turn);
    expect(await outcomes.listOpen(world.session.id)).toEqual([
      {
        turnId: turn.id,
        toolUseId: 'ran',
        name: 'Bash',
        input: { command: 'make' },
        startedAt: expect.any(String) as string,
      },
    ]);
    for (const other of ['read', 'asked', 'refused', 'closed', 'unknown'])
      expect([other, await outcomes.settleByPerson(word(turn, other))]).toEqual([other, false]);
  });

  test('of five words at once the first counts, and is an event of no turn', async () => {
    const turn = await running();
    await call(turn, 'ran');
    await lose(turn);
    const answers = await Promise.all(
      (['succeeded', 'failed', 'abort', 'failed', 'succeeded'] as const).map((outcome) =>
        outcomes.settleByPerson(word(turn, 'ran', { outcome, note: outcome })),
      ),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await open()).toEqual([]);
    const events = await new EventRepository(database).readEvents(world.session.id, { after: 0, limit: 50 });
    expect(events.map(({ kind }) => kind)).toEqual(['turn:end', 'tool:outcome']);
    const [[, outcome, note]] = (await untold(await running())) as [[string, string, string]];
    expect(note).toBe(outcome);
    expect(events[1]).toMatchObject({
      turn: null,
      originator: { userId: world.owner.id },
      payload: { turnId: turn.id, toolUseId: 'ran', name: 'Bash', outcome, note: outcome, by: { name: 'Ada' } },
    });
    const other = await buildWorld(database.pool);
    expect(await outcomes.settleByPerson(word(turn, 'ran', { sessionId: other.session.id }))).toBe(false);
  });

  test('it is reported with each message until one of them reaches the model', async () => {
    const lost = await running();
    await call(lost, 'ran');
    await lose(lost);
    await outcomes.settleByPerson(word(lost, 'ran'));
    const booted = await buildTurn(database.pool, {
      session: world.session,
      authorId: world.owner.id,
      status: 'completed',
      workerId: worker.id,
    });
    await database.pool.query(`UPDATE turn SET kind = 'boot', started_at = now() WHERE id = $1`, [booted.id]);
    await reachedTheModel(booted);
    const failed = await running();
    expect(await untold(failed)).toEqual([['ran', 'succeeded', 'I looked']]);
    await lose(failed);
    const told = await running();
    expect(await untold(told)).toEqual([['ran', 'succeeded', 'I looked']]);
    await reachedTheModel(told);
    await database.pool.query('UPDATE turn SET started_at = now() WHERE id = $1', [told.id]);
    await lose(told);
    expect(await untold(await running())).toEqual([]);
  });
});
