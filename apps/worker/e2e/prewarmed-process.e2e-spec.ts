import type { Envelope } from '@chirality/contracts';
import { OWNER, startStack, TestClient, waitFor, type Stack } from '@chirality/testing';
import { Client } from 'pg';
import { addPerson, attend } from './support/people';
import { turnProcesses, untilGone, untilStarted } from './support/process-scan';

jest.setTimeout(120_000);

type Waiting = { user_id: string; origin: string };

describe('a process ahead of a turn', () => {
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

  const open = async (person: TestClient, sessionId: string) => void leaving.push(await attend(person, sessionId));
  const waitingOf = async (sessionId: string) =>
    (await database.query<Waiting>('SELECT user_id, origin FROM parked_process WHERE session_id = $1', [sessionId]))
      .rows[0] ?? null;
  const untilWaiting = (sessionId: string) =>
    waitFor(async () => (await waitingOf(sessionId)) !== null, {
      what: `a process waits for ${sessionId}`,
      timeoutMs: 30_000,
    });
  const run = async (person: TestClient, sessionId: string, message: string) =>
    person.waitForEnd(sessionId, (await person.send(sessionId, message)).id);
  const startsOf = (events: Envelope[]) =>
    events.filter(({ kind }) => kind === 'turn:start').map(({ payload }) => (payload as { process: string }).process);
  const metrics = async () => (await fetch(`${stack.url}/metrics`)).text();

  it('is started when the session is opened, says nothing to the model, and serves the next turn and those after it', async () => {
    const session = await owner.createSession(projectId);
    const before = stack.model?.requests().length;
    await open(owner, session.id);
    await untilWaiting(session.id);
    expect(turnProcesses(session.id).length).toBeGreaterThan(0);
    expect(stack.model?.requests().length).toBe(before);
    expect(await owner.events(session.id)).toEqual([]);

    const first = await run(owner, session.id, '[[text One.]]');
    const second = await run(owner, session.id, '[[text Two.]]');
    expect([first, second]).toMatchObject([
      { status: 'completed', text: 'One.' },
      { status: 'completed', text: 'Two.', claude: { sessionId: first.claude.sessionId } },
    ]);
    const events = await owner.events(session.id);
    expect(startsOf(events)).toEqual(['ahead', 'parked']);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(await waitingOf(session.id)).toMatchObject({ origin: 'parked' });
  });

  it('guards its tools like any other', async () => {
    const session = await owner.createSession(projectId, { options: { disallowedTools: ['Write'] } });
    await open(owner, session.id);
    await untilWaiting(session.id);
    const turn = await run(
      owner,
      session.id,
      '[[tool Write {"file_path":"/workspace/no.txt","content":"no"}]] [[text Tried.]]',
    );
    expect(startsOf(await owner.events(session.id))).toEqual(['ahead']);
    expect(turn.status).toBe('completed');
    const file = await owner.call('GET', `/v1/sessions/${session.id}/files/content?path=no.txt`);
    expect(file.status).toBe(404);
  });

  it('is for the person who opened the session: another author gets a separate one, and is billed', async () => {
    const member = await addPerson(stack, 'Mira');
    const session = await owner.createSession(projectId, { visibility: 'project' });
    await open(owner, session.id);
    await untilWaiting(session.id);
    const turn = await run(member, session.id, '[[text Mine.]]');
    expect(turn).toMatchObject({ status: 'completed', text: 'Mine.' });
    expect(startsOf(await owner.events(session.id))).toEqual(['cold']);
    const { rows } = await database.query<{ user_id: string }>(
      'SELECT DISTINCT user_id FROM usage_record WHERE turn_id = $1',
      [turn.id],
    );
    expect(rows).toEqual([{ user_id: turn.author.userId }]);
    await waitFor(
      async () =>
        (await metrics()).includes('chirality_waiting_processes_ended_total{reason="key_changed",process="ahead"'),
      { what: 'the metric counts the end and its reason', timeoutMs: 30_000 },
    );
    expect(await metrics()).toContain('chirality_turn_processes_total{process="cold"');
  });

  it('is gone before a turn that is shaped otherwise starts its own', async () => {
    const session = await owner.createSession(projectId);
    await open(owner, session.id);
    await untilWaiting(session.id);
    const [first] = turnProcesses(session.id);
    const turn = await owner.send(session.id, '[[text Other.]]', { maxTurns: 7 });
    expect(await owner.waitForEnd(session.id, turn.id)).toMatchObject({ status: 'completed', text: 'Other.' });
    expect(startsOf(await owner.events(session.id))).toEqual(['cold']);
    expect(turnProcesses(session.id).map(({ pid }) => pid)).not.toContain(first?.pid);
  });

  it('is not started for a user who may only read', async () => {
    const reader = await addPerson(stack, 'Reni');
    const [shown, both] = [
      await owner.createSession(projectId, { visibility: 'project_read' }),
      await owner.createSession(projectId, { visibility: 'project_read' }),
    ];
    await open(reader, shown.id);
    // Who may only read does not use up the ask of those who may write.
    await open(reader, both.id);
    await open(owner, both.id);
    await untilWaiting(both.id);
    const own = await owner.createSession(projectId);
    await open(owner, own.id);
    await untilWaiting(own.id);
    const { rows } = await database.query<{ ahead_asked_at: Date | null }>(
      'SELECT ahead_asked_at FROM session WHERE id = $1',
      [shown.id],
    );
    expect(rows).toEqual([{ ahead_asked_at: null }]);
    expect(turnProcesses(shown.id)).toEqual([]);
  });

  it('ends with the rights of its person, and with the session', async () => {
    const leaver = await addPerson(stack, 'Lara');
    const [theirs, archived] = [await leaver.createSession(projectId), await owner.createSession(projectId)];
    await open(leaver, theirs.id);
    await untilWaiting(theirs.id);
    const { user_id: userId } = (await waitingOf(theirs.id)) as Waiting;
    const { rows } = await database.query<{ team_id: string }>('SELECT team_id FROM session WHERE id = $1', [
      theirs.id,
    ]);
    expect((await owner.call('DELETE', `/v1/teams/${rows[0]?.team_id}/members/${userId}`)).status).toBeLessThan(300);
    await untilGone(theirs.id);

    await open(owner, archived.id);
    await untilWaiting(archived.id);
    expect((await owner.call('DELETE', `/v1/sessions/${archived.id}`)).status).toBeLessThan(300);
    await untilGone(archived.id);
    await waitFor(async () => (await waitingOf(archived.id)) === null && (await waitingOf(theirs.id)) === null, {
      what: 'their rows are gone',
    });
  });

  it('leaves nothing when its worker is killed, and the turn that comes is run elsewhere', async () => {
    const session = await owner.createSession(projectId);
    await open(owner, session.id);
    await untilWaiting(session.id);
    await untilStarted(session.id);
    stack.workers[0]?.kill('SIGKILL');
    await untilGone(session.id);
    await stack.startWorker();
    const turn = await owner.send(session.id, '[[text After.]]');
    expect(await owner.waitForEnd(session.id, turn.id, 90_000)).toMatchObject({ status: 'completed', text: 'After.' });
    expect(startsOf(await owner.events(session.id))).toEqual(['cold']);
  });
});
