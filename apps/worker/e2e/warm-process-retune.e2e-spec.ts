import type { Options, Turn } from '@chirality/contracts';
import { OWNER, startStack, TestClient, waitFor, type Stack } from '@chirality/testing';
import { Client } from 'pg';
import { LiveTurn } from './harness-suite/live-turn';
import { attend } from './support/people';
import { turnProcesses } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(120_000);

describe('a waiting process that is switched to the next turn’s model and mode', () => {
  let stack: Stack;
  let owner: TestClient;
  let projectId: string;
  let database: Client;
  const leaving: (() => void)[] = [];

  beforeAll(async () => {
    stack = await startStack();
    owner = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    projectId = (await owner.createProject()).id;
    database = new Client({ connectionString: stack.postgres.url });
    await database.connect();
  });
  afterEach(() => leaving.splice(0).forEach((leave) => leave()));
  afterAll(async () => {
    await database?.end();
    await stack?.stop();
  });

  const watch = async (options: Partial<Options>) => {
    const watched = await WatchedSession.open(owner, projectId, { options });
    leaving.push(() => watched.close());
    return watched;
  };
  const run = async (watched: WatchedSession, message: string, options?: Partial<Options>) =>
    watched.end(await watched.send(message, options));
  const originOf = (watched: WatchedSession, turn: Turn) =>
    watched.payloads(turn, 'turn:start').map(({ process }) => process);
  const announced = (watched: WatchedSession, turn: Turn) =>
    watched.payloads(turn, 'session:init').map(({ model, permissionMode }) => ({ model, permissionMode }));
  const warnings = (watched: WatchedSession, turn: Turn) =>
    watched.payloads(turn, 'turn:notice').filter(({ level }) => level !== 'info');
  const paid = async (turn: Turn) =>
    (
      await database.query<{ model: string }>('SELECT DISTINCT model FROM usage_record WHERE turn_id = $1', [turn.id])
    ).rows.map(({ model }) => model);
  const claudes = (watched: WatchedSession) =>
    turnProcesses(watched.id)
      .filter(({ command }) => command.startsWith('/opt/claude/claude '))
      .map(({ pid }) => pid);
  const metric = async (text: string) =>
    waitFor(async () => (await (await fetch(`${stack.url}/metrics`)).text()).includes(text), {
      what: `the metrics say ${text}`,
      timeoutMs: 30_000,
    });
  /** Parking ends a moment after the turn. */
  const untilParked = (watched: WatchedSession) =>
    waitFor(
      async () =>
        (await database.query('SELECT 1 FROM parked_process WHERE session_id = $1', [watched.id])).rowCount === 1,
      { what: 'the process waits' },
    );

  it('is the same one for a turn with another model, which asks, is paid for and is shown as that model', async () => {
    const watched = await watch({ model: 'sonnet' });
    const first = await run(watched, '[[text One.]]');
    await untilParked(watched);
    const before = claudes(watched);
    const second = await run(watched, '[[text Two.]]', { model: 'opus' });
    const third = await run(watched, '[[text Three.]]');
    expect([first, second, third]).toMatchObject([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
    expect([first, second, third].map((turn) => originOf(watched, turn))).toEqual([['cold'], ['parked'], ['parked']]);
    expect(before).toHaveLength(1);
    expect(claudes(watched)).toEqual(before);
    const [sonnet, opus] = [first.claude.model, second.claude.model];
    expect([sonnet, opus]).toEqual([expect.stringContaining('sonnet'), expect.stringContaining('opus')]);
    expect(await Promise.all([first, second, third].map(paid))).toEqual([[sonnet], [opus], [sonnet]]);
    expect([first, second, third].map((turn) => announced(watched, turn)[0]?.model)).toEqual([sonnet, opus, sonnet]);
    expect([first, second, third].flatMap((turn) => warnings(watched, turn))).toEqual([]);
    await metric('chirality_processes_retuned_total{what="model"');
    await watched.expectLawful();
  });

  it('plans, and after that runs what changes something again, where people allow it', async () => {
    const write = (file: string) =>
      `[[tool Write {"file_path":"/workspace/${file}","content":"${file}"}]] [[text Tried.]]`;
    const file = (name: string) =>
      owner.call<{ content: string }>('GET', `/v1/sessions/${watched.id}/files/content?path=${name}`);
    const watched = await watch({});
    leaving.push(await attend(owner, watched.id));
    await run(watched, '[[text Hello.]]');
    const planned = await run(watched, write('early.txt'), { permissionMode: 'plan' });
    expect({
      origin: originOf(watched, planned),
      init: announced(watched, planned),
      asked: watched.kinds(planned).includes('permission:request'),
    }).toMatchObject({ origin: ['parked'], init: [{ permissionMode: 'plan' }], asked: false });
    expect((await file('early.txt')).status).toBe(404);
    const sent = await watched.send(
      `[[tool Bash {"command":"touch late.txt","description":"makes it"}]] ${write('later.txt')}`,
    );
    await new LiveTurn(watched, sent, stack.model).answer({ decision: 'allow_once' });
    const done = await watched.end(sent);
    expect({
      origin: originOf(watched, done),
      init: announced(watched, done),
      requests: watched.payloads(done, 'permission:request'),
    }).toMatchObject({ origin: ['parked'], init: [{ permissionMode: 'default' }], requests: [{ tool: 'Bash' }] });
    expect((await file('late.txt')).status).toBe(200);
    expect((await file('later.txt')).body).toMatchObject({ content: 'later.txt' });
    await metric('chirality_processes_retuned_total{what="permissionMode"');
    await watched.expectLawful();
  });

  it('makes way for a new one where it does not take the model', async () => {
    const watched = await watch({ model: 'sonnet' });
    await run(watched, '[[text One.]]');
    await untilParked(watched);
    const price = {
      model: 'unknown-model',
      effectiveFrom: '2026-01-01T00:00:00.000Z',
      input: '1',
      output: '2',
      cacheRead: '0.1',
      cacheWrite5m: '1.25',
      cacheWrite1h: '2',
      webSearch: '0',
    };
    await owner.call('PUT', '/v1/prices', { prices: [price] });
    const turn = await run(watched, '[[text Two.]]', { model: 'unknown-model' });
    expect(turn).toMatchObject({ status: 'completed', text: 'Two.', claude: { model: 'unknown-model' } });
    expect(originOf(watched, turn)).toEqual(['cold']);
    expect(await paid(turn)).toEqual(['unknown-model']);
    await metric('chirality_waiting_processes_ended_total{reason="retune_refused",process="parked"');
    await watched.expectLawful();
  });

  it('makes way for a new one where it does not answer', async () => {
    const watched = await watch({ model: 'sonnet' });
    await run(watched, '[[text One.]]');
    await untilParked(watched);
    for (const pid of claudes(watched)) process.kill(pid, 'SIGSTOP');
    const turn = await run(watched, '[[text Two.]]', { model: 'opus' });
    expect(turn).toMatchObject({
      status: 'completed',
      text: 'Two.',
      claude: { model: expect.stringContaining('opus') as string },
    });
    expect(originOf(watched, turn)).toEqual(['cold']);
    await metric('chirality_waiting_processes_ended_total{reason="retune_unanswered",process="parked"');
    await watched.expectLawful();
  });
});
