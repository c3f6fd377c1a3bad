import type { Envelope } from '@chirality/contracts';
import { OWNER, startStack, TestClient, type Stack } from '@chirality/testing';
import { redisHolds, tablesThatHold } from './support/find-secret';
import { startLocalHosts, type LocalHosts } from './support/local-hosts';

jest.setTimeout(120_000);

const TURN_VALUE = 'tok_canary_turns_0123456789';
const SETUP_VALUE = 'tok_canary_setup_0123456789';
const KEPT_VALUE = 'tok_canary_unused_0123456789';

describe('variables and a set-up script of a project, with the real claude', () => {
  let stack: Stack;
  let hosts: LocalHosts;
  let person: TestClient;

  beforeAll(async () => {
    hosts = await startLocalHosts();
    stack = await startStack({
      env: {
        NODE_ENV: 'test',
        CHIRALITY_TEST_HOSTS: JSON.stringify({ 'registry.test.example': '127.0.0.1' }),
        CHIRALITY_TEST_LIMITS: JSON.stringify({ setupMs: 8_000 }),
      },
    });
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
  });
  afterAll(async () => {
    await stack?.stop();
    await hosts?.close();
  });

  const project = async () => (await person.createProject()).id;
  const give = (projectId: string, name: string, body: object) =>
    person.call('PUT', `/v1/projects/${projectId}/variables/${name}`, body);
  const setUpBy = (projectId: string, script: string | null) =>
    person.call('PUT', `/v1/projects/${projectId}/setup-script`, { script });
  const open = (projectId: string) =>
    person.call('PUT', `/v1/projects/${projectId}/egress`, { hosts: [`registry.test.example:${hosts.port}`] });
  const bash = (command: string) => `[[tool Bash ${JSON.stringify({ command, description: 'Looks' })}]] [[text Done.]]`;
  const run = async (sessionId: string, message: string) =>
    person.waitForEnd(sessionId, (await person.send(sessionId, message, { autoApproveTools: ['Bash'] })).id, 60_000);
  const toolSaid = (events: Envelope[], turnId: string) =>
    JSON.stringify(
      events
        .filter(({ kind, turn }) => kind === 'tool:result' && turn === turnId)
        .map(({ payload }) => (payload as { content: unknown }).content),
    );
  const notices = (events: Envelope[]) =>
    events.filter(({ kind }) => kind === 'turn:notice').map(({ payload }) => (payload as { code: string }).code);

  it('tools get what an admin gave to turns, nothing else, and no value is shown anywhere', async () => {
    const projectId = await project();
    await give(projectId, 'NPM_TOKEN', { value: TURN_VALUE, givenTo: 'turns' });
    await give(projectId, 'SETUP_TOKEN', { value: SETUP_VALUE, givenTo: 'setup' });
    await give(projectId, 'KEPT_TOKEN', { value: KEPT_VALUE });
    const session = await person.createSession(projectId);
    const turn = await run(
      session.id,
      bash(
        'echo "<$NPM_TOKEN> ${#NPM_TOKEN} <$SETUP_TOKEN$KEPT_TOKEN>"; echo "$NPM_TOKEN" | base64 -w0; cp /proc/self/environ env.txt',
      ),
    );
    const events = await person.events(session.id);
    expect(toolSaid(events, turn.id)).toContain(`<«redacted:project-variable»> ${TURN_VALUE.length} <>`);
    for (const value of [TURN_VALUE, SETUP_VALUE, KEPT_VALUE])
      expect([value, await tablesThatHold(value, stack), await redisHolds(value, stack)]).toEqual([value, [], false]);
    const said = await run(
      session.id,
      `[[text The token is ${TURN_VALUE}, the others are ${SETUP_VALUE} and ${KEPT_VALUE}.]]`,
    );
    expect(said.text).toBe(
      'The token is «redacted:project-variable», the others are «redacted:project-variable» and «redacted:project-variable».',
    );
    const shown = JSON.stringify([events, await person.turn(session.id, turn.id)]);
    for (const value of [TURN_VALUE, Buffer.from(TURN_VALUE).toString('base64').slice(0, -4)])
      expect(shown).not.toContain(value);
    for (const worker of stack.workers)
      for (const value of [TURN_VALUE, SETUP_VALUE, KEPT_VALUE]) expect(worker.describe()).not.toContain(value);
  });

  it('a changed variable reaches the next turn: no process with the old one is used again', async () => {
    const projectId = await project();
    await give(projectId, 'NPM_TOKEN', { value: 'first-value-1', givenTo: 'turns' });
    const session = await person.createSession(projectId);
    const lengthOf = async () => {
      const turn = await run(session.id, bash('echo "length=${#NPM_TOKEN}"'));
      return /length=(\d+)/.exec(toolSaid(await person.events(session.id), turn.id))?.[1];
    };
    expect(await lengthOf()).toBe('13');
    await give(projectId, 'NPM_TOKEN', { value: 'another-value-22' });
    expect(await lengthOf()).toBe('16');
    await give(projectId, 'NPM_TOKEN', { givenTo: 'nobody' });
    expect(await lengthOf()).toBe('0');
    const starts = (await person.events(session.id))
      .filter(({ kind }) => kind === 'turn:start')
      .map(({ payload }) => (payload as { process: string }).process);
    expect(starts).toEqual(['cold', 'cold', 'cold']);
  });

  it('the set-up script runs once in a session’s files, with hosts and variables, and again when it was changed', async () => {
    const projectId = await project();
    await open(projectId);
    await give(projectId, 'SETUP_TOKEN', { value: SETUP_VALUE, givenTo: 'setup' });
    const install = `npm config set //registry.test.example:${hosts.port}/:_authToken "$SETUP_TOKEN" --location=project\nnpm install --no-save --no-audit --no-fund --registry http://registry.test.example:${hosts.port}/ left-alone\nrm .npmrc\necho ran >> runs.txt\necho "token $SETUP_TOKEN"\n`;
    await setUpBy(projectId, install);
    const session = await person.createSession(projectId);
    const first = await run(session.id, bash('node -p \'require("left-alone")\'; cat runs.txt; echo "<$SETUP_TOKEN>"'));
    expect(toolSaid(await person.events(session.id), first.id)).toContain('installed over http\\nran\\n<>');
    expect(hosts.authorizations).toContain(`Bearer ${SETUP_VALUE}`);
    await run(session.id, bash('true'));
    expect(notices(await person.events(session.id)).filter((code) => code.startsWith('SETUP'))).toEqual([
      'SETUP_STARTED',
      'SETUP_DONE',
    ]);
    await setUpBy(projectId, 'echo again >> runs.txt\n');
    const third = await run(session.id, bash('cat runs.txt'));
    const events = await person.events(session.id);
    expect(toolSaid(events, third.id)).toContain('ran\\nagain');
    expect(JSON.stringify(events)).not.toContain(SETUP_VALUE);
    expect(JSON.stringify(events)).toContain('token «redacted:project-variable»');
  });

  it('a script that fails or takes too long ends the turn with what it said, and the next message tries again', async () => {
    const projectId = await project();
    await setUpBy(projectId, 'echo about to fail\nfalse\necho never\n');
    const session = await person.createSession(projectId);
    const failed = await run(session.id, '[[text Never.]]');
    expect(failed).toMatchObject({
      status: 'failed',
      text: '',
      error: {
        code: 'SETUP_FAILED',
        detail: expect.stringMatching(/ended with exit code 1.*page\. It said last: about to fail$/s) as string,
      },
    });
    await setUpBy(projectId, 'echo slow\nsleep 600\n');
    expect((await run(session.id, '[[text Never.]]')).error).toMatchObject({
      code: 'SETUP_FAILED',
      detail: expect.stringContaining('took longer than 1 min') as string,
    });
    await setUpBy(projectId, null);
    expect(await run(session.id, '[[text Now.]]')).toMatchObject({ status: 'completed', text: 'Now.' });
  });

  it('can be interrupted, and a boot never runs it', async () => {
    const projectId = await project();
    await setUpBy(projectId, 'echo begun\nsleep 600\n');
    const session = await person.createSession(projectId);
    expect((await person.call('POST', `/v1/sessions/${session.id}/boot`, {})).status).toBe(200);
    expect(notices(await person.events(session.id))).not.toContain('SETUP_STARTED');
    const turn = await person.send(session.id, '[[text Never.]]');
    await person.waitForStatus(session.id, turn.id, ['starting']);
    await person.interrupt(session.id);
    expect(await person.waitForEnd(session.id, turn.id)).toMatchObject({ status: 'interrupted' });
  });
});
