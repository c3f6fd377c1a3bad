import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreatedToken, Session } from '@chirality/contracts';
import { OWNER, startStack, TestClient, waitFor, type Stack } from '@chirality/testing';
import { TerminalUser, type Screen } from './terminal-process';

jest.setTimeout(180_000);

const HOSTILE = '[[text "Safe\\u001b]0;owned\\u0007 and\\u001b[2J\\u009b31m sound\\u202eabc"]]';
const OBEYED = new RegExp('\u001b\\]0;owned|\u001b\\[2J\u009b|\u009b31m|\u202e|\u0007');

describe('the terminal client', () => {
  let stack: Stack;
  let person: TestClient;
  let teamId: string;
  let projectId: string;
  let token: string;
  let user: TerminalUser;
  const screens: Screen[] = [];

  const tokenWith = async (claims: object) => {
    const body = { name: 'terminal', teamId, identityClass: 'human', ...claims };
    return (await person.call<CreatedToken>('POST', '/v1/tokens', body)).body.secret;
  };
  const newSession = (more: Record<string, unknown> = {}): Promise<Session> => person.createSession(projectId, more);
  const open = (words: string[], env: Record<string, string> = {}) => {
    const screen = user.open(words, env);
    screens.push(screen);
    return screen;
  };

  beforeAll(async () => {
    stack = await startStack();
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    const project = await person.createProject('Shop');
    [teamId, projectId] = [project.teamId, project.id];
    token = await tokenWith({});
    user = new TerminalUser({ CHIRALITY_URL: stack.url, CHIRALITY_TOKEN: token });
  });
  afterEach(() => screens.splice(0).forEach((screen) => screen.kill()));
  afterAll(async () => {
    user?.remove();
    await stack?.stop();
  });

  it('runs a message for scripts, as text, as an object and as events', async () => {
    const text = await user.run(['run', '--project', 'Shop', '--print', '[[text "Hello there."]]']);
    expect(text).toMatchObject({ code: 0, out: 'Hello there.\n' });
    const json = await user.run(['run', '--print', '--output-format', 'json'], { input: '[[text "From a pipe."]]' });
    expect(json.code).toBe(0);
    const result = JSON.parse(json.out) as { session: string; status: string; text: string };
    expect(result).toMatchObject({ status: 'completed', text: 'From a pipe.' });
    const words = [
      'run',
      '--session',
      result.session,
      '--print',
      '--output-format',
      'stream-json',
      '[[text "Again."]]',
    ];
    const lines = (await user.run(words)).out.trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { kind: string; id: number });
    expect([events[0]?.kind, events.at(-2)?.kind, events.at(-1)?.kind]).toEqual(['turn:queued', 'turn:end', 'result']);
    const ids = events.slice(0, -1).map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, at) => ids[0]! + at));
  });

  it('lets nothing of a model through that a terminal obeys', async () => {
    const session = await newSession({ title: 'Title\u202e' });
    for (const words of [['--print'], ['--print', '--output-format', 'stream-json'], []]) {
      const { out, err } = await user.run(['run', '--session', session.id, ...words, HOSTILE]);
      expect(out).toContain('Safe');
      expect(out + err).not.toMatch(OBEYED);
    }
    const screen = open(['attach', session.id]);
    await screen.shows('sound');
    expect(screen.raw).not.toMatch(OBEYED);
  });

  it.each<[string, string[], Record<string, string>, number]>([
    ['done', ['projects'], {}, 0],
    ['no such option', ['run', '--colour'], {}, 2],
    ['no command', ['dance'], {}, 2],
    ['an option without its companion', ['run', '--output-format', 'json', 'x'], {}, 2],
    ['an address that is none', ['--server', 'nowhere', 'projects'], {}, 2],
    ['no token', ['projects'], { CHIRALITY_TOKEN: '' }, 3],
    ['a token that is none', ['projects'], { CHIRALITY_TOKEN: 'chi_nothing' }, 3],
    ['no such session', ['run', '--session', 'sess_01J00000000000000000000000', 'x'], {}, 4],
    ['what tokens may not do', ['token', 'list'], {}, 4],
    ['a server that is not there', ['--server', 'http://127.0.0.1:9', 'projects'], {}, 5],
    ['a turn that fails', ['run', '--project', 'Shop', '-p', '[[error 400 message="No."]]'], {}, 1],
  ])('ends with its code: %s', async (_what, words, env, code) => {
    const ended = await user.run(words, { env, input: 'x' });
    expect([ended.code, ended.err]).toEqual([code, ended.err]);
    if (code !== 0) expect(ended.err).not.toBe('');
  });

  it('interrupts the turn at the first Ctrl-C, and ends with 130', async () => {
    const session = await newSession();
    const child = user.start(['run', '--session', session.id, '[[slow words=600 delay=100]]']);
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    await waitFor(async () => (await person.session(session.id)).status === 'running', {
      what: 'the turn runs',
      timeoutMs: 60_000,
      everyMs: 50,
    });
    child.kill('SIGINT');
    expect(await closed).toBe(130);
    const turns = await person.call<{ data: { status: string }[] }>('GET', `/v1/sessions/${session.id}/turns`);
    expect(turns.body.data[0]?.status).toBe('interrupted');
  });

  it('keeps a token for its user alone, and takes one from a file that is', async () => {
    const other = new TerminalUser({ CHIRALITY_URL: stack.url });
    expect(await other.run(['login', '--with-token'], { input: `${token}\n` })).toMatchObject({ code: 0 });
    expect((await other.run(['projects'])).out).toContain('Shop');
    const kept = join(other.home, 'config/chirality/account.json');
    expect((statSync(kept).mode & 0o777).toString(8)).toBe('600');
    expect(await other.run(['login', '--with-token'], { input: 'chi_wrong' })).toMatchObject({ code: 3 });
    expect((await other.run(['projects'])).code).toBe(0);
    await other.run(['logout']);
    expect((await other.run(['projects'])).code).toBe(3);
    const file = join(other.home, 'token');
    writeFileSync(file, token);
    expect(await other.run(['--token-file', file, 'projects'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('chmod 0400') as string,
    });
    chmodSync(file, 0o400);
    expect((await other.run(['--token-file', file, 'projects'])).code).toBe(0);
    other.remove();
  });

  it('signs in by a code that a person confirms in a browser', async () => {
    const other = new TerminalUser({ CHIRALITY_URL: stack.url });
    const screen = other.open(['login']);
    screens.push(screen);
    await screen.shows('enter the code');
    const [, userCode] = /enter the code ([A-Z]{4}-[A-Z]{4})/.exec(screen.text) ?? [];
    const answer = { userCode, decision: 'allow', teamId };
    expect((await person.call('POST', '/v1/auth/device/answer', answer)).status).toBe(204);
    expect(await screen.closed).toBe(0);
    expect((await other.run(['projects'])).out).toContain('Shop');
    other.remove();
  });

  it('creates narrower tokens with one that may', async () => {
    const minting = await tokenWith({ mayMint: true });
    const made = await user.run(['token', 'create', 'ci', '--command', 'events:read', '--project', projectId], {
      env: { CHIRALITY_TOKEN: minting },
    });
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^chi_\w{46}\n$/) as string });
    const read = await user.run(['projects'], { env: { CHIRALITY_TOKEN: made.out.trim() } });
    expect(read.out).toContain('Shop');
  });

  it('shows a session, takes messages and answers a request with its diff', async () => {
    const session = await newSession({ title: 'Attached', options: { strict: true } });
    const screen = open(['attach', session.id]);
    await screen.shows('session $0.0000 · Attached');
    screen.type('[[tool Write {"file_path":"/workspace/a.txt","content":"one\\ntwo\\n"}]] [[text "Written."]]');
    screen.type('\r');
    await screen.shows('Claude wants to use Write');
    await screen.shows('+ two');
    await screen.shows('waits for your answer');
    // Nothing is marked at first, so that Enter alone answers nothing.
    screen.type('\r');
    screen.type('\u001b[B');
    await screen.shows('› 1. Allow once');
    screen.mark();
    screen.type('\r');
    await screen.shows('Written.');
    await screen.shows('done ·');
    await screen.shows('Write(a.txt) ✓');
    screen.mark();
    screen.resize(30, 120);
    screen.type('/co');
    await screen.shows('/compact');
    screen.type('st\r');
    await screen.shows('This session: $');
    screen.type('/usr/bin is [[text "A path."]]\r');
    await screen.shows('A path.');
    screen.type('\u0003');
    await screen.shows('Press Ctrl-C again to leave');
    screen.type('\u0003');
    expect(await screen.closed).toBe(130);
  });

  it('denies with a reason that the model reads, without colours', async () => {
    const session = await newSession();
    const screen = open(['attach', session.id], { NO_COLOR: '1' });
    await screen.shows('Message Claude');
    screen.type('[[tool Bash {"command":"rm -rf build"}]] [[text "As you like."]]\r');
    await screen.shows('Claude wants to use Bash');
    screen.type('\u001b[A');
    await screen.shows('› 3. Deny…');
    screen.type('\r');
    await screen.shows('Reason (Claude will see it)');
    screen.mark();
    screen.type('Keep the build\r');
    await screen.shows('As you like.');
    const [request] = await person.permissions(session.id);
    expect(request).toMatchObject({ outcome: 'denied', resolvedReason: 'Keep the build' });
    expect(screen.raw).not.toMatch(new RegExp('\u001b\\[3[0-7]m'));
    screen.type('/quit\r');
    expect(await screen.closed).toBe(0);
  });

  it('offers to allow what is long only when its end was seen', async () => {
    const session = await newSession();
    const screen = open(['attach', session.id]);
    await screen.shows('Message Claude');
    const command = [...Array(30).keys()].map((at) => `touch file-${at}`).join('\\n');
    screen.type(`[[tool Bash {"command":"${command}\\nrm -rf build","timeout":71}]] [[text "Done."]]\r`);
    await screen.shows('Read to the end before you allow this.');
    screen.mark();
    screen.type('\u001b[B');
    await screen.shows('Deny…');
    expect(screen.text).not.toContain('Allow once');
    const isOffered = () => {
      screen.type('\u001b[6~');
      return Promise.resolve(screen.text.includes('1. Allow once'));
    };
    await waitFor(isOffered, { what: 'the end was seen', timeoutMs: 30_000, everyMs: 200 });
    expect(screen.text).toContain('rm -rf build');
    expect(screen.text).toContain('timeout: 71');
  });

  it('exports a session to a file, whole, and replaces none', async () => {
    const session = await newSession();
    const turn = await person.send(session.id, '[[text "To be kept."]]');
    await person.waitForEnd(session.id, turn.id);
    const file = join(user.home, 'session.jsonl');
    expect(await user.run(['export', session.id, '--output', file])).toMatchObject({ code: 0, out: '' });
    const text = readFileSync(file, 'utf8');
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual(ids.map((_, at) => at + 1));
    expect(ids).toHaveLength((await person.session(session.id)).lastEventId);
    expect(text).toContain('To be kept.');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const again = await user.run(['export', session.id, '--format', 'html', '--output', file]);
    expect(again.code).not.toBe(0);
    expect(again.err).toContain('exist');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('proves a server', async () => {
    const env = { CHIRALITY_TOKEN: await tokenWith({ mayMint: true }) };
    const words = ['conformance', '--project', 'Shop', '--transport', 'rest', '--only', 'busy'];
    const ended = await user.run(words, { env });
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('1 passed')]);
  });

  it('watches without a terminal until nothing runs', async () => {
    const session = await newSession();
    const turn = await person.send(session.id, '[[text "Plain."]]');
    await person.waitForEnd(session.id, turn.id);
    const watched = await user.run(['attach', session.id, '--until-idle']);
    expect(watched).toMatchObject({ code: 0, out: expect.stringContaining('Plain.') as string });
  });
});
