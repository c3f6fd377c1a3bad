import { OWNER, startStack, TestClient, type Stack } from '@chirality/testing';

jest.setTimeout(120_000);

describe('running a turn with the real claude', () => {
  let stack: Stack;
  let person: TestClient;
  let projectId: string;

  beforeAll(async () => {
    stack = await startStack();
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    projectId = (await person.createProject()).id;
  });
  afterAll(() => stack?.stop());

  const run = async (sessionId: string, message: string) =>
    person.waitForEnd(sessionId, (await person.send(sessionId, message)).id);

  it('streams the answer, changes a file, costs what its messages cost, and reads back the same', async () => {
    const session = await person.createSession(projectId);
    const turn = await run(
      session.id,
      'Go [[tool Write {"file_path":"/workspace/hello.txt","content":"written by claude"}]] [[text The file is there now.]]',
    );

    expect(turn).toMatchObject({
      status: 'completed',
      text: 'The file is there now.',
      degraded: false,
      error: null,
      attempt: 1,
    });
    const file = await person.call('GET', `/v1/sessions/${session.id}/files/content?path=hello.txt`);
    expect(file.body).toMatchObject({ path: 'hello.txt', content: 'written by claude', encoding: 'utf8' });

    const events = await person.events(session.id);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    const kinds = events.filter(({ turn: of }) => of === turn.id).map(({ kind }) => kind);
    expect(kinds[0]).toBe('turn:queued');
    expect(kinds.at(-1)).toBe('turn:end');
    for (const kind of [
      'turn:start',
      'session:init',
      'tool:start',
      'tool:result',
      'chat:delta',
      'chat:complete',
      'session:complete',
    ] as const)
      expect(kinds).toContain(kind);
    const streamed = events
      .filter(({ kind }) => kind === 'chat:delta')
      .map(({ payload }) => (payload as { text: string }).text)
      .join('');
    expect(streamed).toBe('The file is there now.');

    const report = await person.call<{ totalUsd: string }>('GET', '/v1/usage?groupBy=turn');
    expect(report.body.totalUsd).toBe(turn.costUsd);
    expect(Number(turn.costUsd)).toBeGreaterThan(0);
    expect(turn.reportedCostUsd).toBe(turn.costUsd);
  });

  it('continues the conversation, on the same process while it waits', async () => {
    const session = await person.createSession(projectId);
    const first = await run(session.id, '[[text One.]]');
    const second = await run(session.id, '[[text Two.]]');
    expect(second.claude.sessionId).toBe(first.claude.sessionId);
    const starts = (await person.events(session.id))
      .filter(({ kind }) => kind === 'turn:start')
      .map(({ payload }) => (payload as { process: string }).process);
    expect(starts).toEqual(['cold', 'parked']);
    const newest = stack.model?.requests().at(-1)?.body as { messages: { content: unknown }[] };
    expect(JSON.stringify(newest.messages)).toContain('One.');
  });

  it('continues the conversation and the files on a worker with an empty disk', async () => {
    const session = await person.createSession(projectId);
    const first = await run(
      session.id,
      '[[tool Write {"file_path":"/workspace/kept.txt","content":"kept"}]] [[text First.]]',
    );
    const [worker] = stack.workers;
    await worker?.stop();
    await stack.startWorker();
    const second = await run(session.id, '[[tool Read {"file_path":"/workspace/kept.txt"}]] [[text Second.]]');
    expect(second).toMatchObject({
      status: 'completed',
      text: 'Second.',
      claude: { sessionId: first.claude.sessionId },
    });
    const result = (await person.events(session.id)).filter(({ kind }) => kind === 'tool:result').at(-1);
    expect(JSON.stringify(result?.payload)).toContain('kept');
  });

  it('starts afresh, and says so, when the conversation is gone', async () => {
    const session = await person.createSession(projectId, { options: { context: 'resume' } });
    const first = await run(session.id, '[[text Known.]]');
    await stack.forgetConversation(session.id);
    const second = await run(session.id, '[[text Again.]]');
    expect(second).toMatchObject({ status: 'completed', text: 'Again.' });
    expect(second.claude.sessionId).not.toBe(first.claude.sessionId);
    const kinds = (await person.events(session.id))
      .filter(({ turn }) => turn === second.id)
      .map(({ kind, payload }) => `${kind}${kind === 'session:error' ? `:${(payload as { code: string }).code}` : ''}`);
    expect(kinds).toEqual(expect.arrayContaining(['session:error:RESUME_FAILED', 'session:init', 'turn:end']));
    expect((await person.session(session.id)).claudeSessionId).toBe(second.claude.sessionId);
  });

  it('says exactly what the person said, whatever it looks like', async () => {
    const session = await person.createSession(projectId);
    for (const message of [
      '-',
      '--help',
      '--dangerously-skip-permissions',
      '/clear',
      '/etc/passwd is a file',
      '@/etc/passwd',
      '!ls',
      '# note',
      '\nleading newline',
      'nul \u0000 inside',
      '👩‍👩‍👧‍👦 שלום עליכם 漢字',
    ]) {
      const turn = await run(session.id, message);
      expect({ message, status: turn.status }).toEqual({ message, status: 'completed' });
      const asked = stack.model?.requests().at(-1)?.body as {
        messages: { role: string; content: string | { type: string; text?: string }[] }[];
      };
      const last = asked.messages.filter(({ role }) => role === 'user').at(-1)?.content;
      const texts = typeof last === 'string' ? [last] : (last ?? []).map(({ text }) => text);
      expect(texts).toContain(message);
      expect(turn.message).toBe(message);
    }
  });
});
