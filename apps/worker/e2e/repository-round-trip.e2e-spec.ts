import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DiffComment, GitAccount, Project, PullRequest, PushAnswer, Turn } from '@chirality/contracts';
import { GIT_HOST, HostApi, makeGitRepository, startGitHost, waitFor, type GitHost } from '@chirality/testing';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { filesThatHold, processesThatShow, redisHolds, tablesThatHold } from './support/find-secret';
import { addPerson } from './support/people';
import { turnProcesses } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(240_000);

/** Of this run alone, so that other runs on the machine are not mistaken for it. */
const TOKEN = `gta-${randomBytes(24).toString('hex')}`;
const MAY_WORK = { autoApproveTools: ['Bash', 'Write', 'Edit'] };
const shell = (command: string) => `[[tool Bash ${JSON.stringify({ command })}]]`;

describe('work that goes from a private repository to a pull request and back', () => {
  let host: GitHost;
  let api: HostApi;
  let product: FaultStack;
  let ada: Awaited<ReturnType<typeof addPerson>>;
  let watched: WatchedSession;
  let branch: string;

  const remote = (...args: string[]) =>
    execFileSync('git', ['--git-dir', join(host.directory, 'private/engine.git'), ...args], {
      encoding: 'utf8',
    }).trim();
  const answered = async <T>(asked: Promise<{ status: number; body: T }>, status: number): Promise<T> => {
    const answer = await asked;
    if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const of = (path: string) => `/v1/sessions/${watched.id}/${path}`;
  const run = async (message: string) => watched.end(await ada.send(watched.id, message, MAY_WORK));
  const commit = (message: string) => answered(ada.call('POST', of('commit'), { message }), 200);
  const push = () => answered(ada.call<PushAnswer>('POST', of('push'), {}), 200);

  beforeAll(async () => {
    host = await startGitHost();
    host.signIn = `ada:${TOKEN}`;
    makeGitRepository(join(host.directory, 'private/engine.git'), [{ 'src/a.ts': 'export const a = 1;\n' }], 'trunk');
    remote('config', 'http.receivepack', 'true');
    api = new HostApi('gitea');
    Object.assign(api.state, {
      token: TOKEN,
      repository: 'private/engine',
      origin: `https://${GIT_HOST}:${host.port}`,
      defaultBranch: 'trunk',
    });
    host.answerFirst = (request, response) => api.handle(request, response);
    product = await startFaultStack({
      env: {
        NODE_ENV: 'test',
        CHIRALITY_TEST_HOSTS: JSON.stringify({ [GIT_HOST]: '127.0.0.1' }),
        CHIRALITY_TEST_AUTHORITIES: host.authorities,
      },
    });
    ada = await addPerson(product.stack, 'Ada');
  });
  afterAll(async () => {
    watched?.close();
    await product?.stop();
    await host?.close();
  });

  it('is fetched with the account of the person who asks, and changed by a turn', async () => {
    await answered(
      ada.call<GitAccount>('POST', '/v1/git-accounts', {
        scope: 'user',
        host: `${GIT_HOST}:${host.port}`,
        kind: 'token',
        username: 'ada',
        secret: TOKEN,
      }),
      201,
    );
    const source = { kind: 'git', url: host.url('private/engine.git') };
    const { id } = await answered(ada.call<Project>('POST', '/v1/projects', { name: 'Engine', source }), 201);
    const state = async () => (await ada.call<Project>('GET', `/v1/projects/${id}`)).body.sourceState.status;
    await waitFor(async () => (await state()) === 'ready', { what: 'the repository is here', timeoutMs: 60_000 });
    watched = await WatchedSession.open(ada, id, { visibility: 'project' });
    const turn = await run(
      `${shell("printf 'export const a = 2;\\n' > src/a.ts; printf 'b\\n' > src/b.ts; printf '你好\\n' > '说明 文.md'")} [[text Changed.]]`,
    );
    expect(turn).toMatchObject({ status: 'completed', text: 'Changed.' });
  });

  it('is commented on at a line, which goes to Claude once', async () => {
    const comment = await answered(
      ada.call<DiffComment>('POST', of('comments'), {
        path: 'src/a.ts',
        side: 'new',
        line: 1,
        body: `Make it three. ${shell("printf 'export const a = 3;\\n' > src/a.ts")} [[text Three.]]`,
      }),
      201,
    );
    expect(comment).toMatchObject({ code: expect.stringContaining('a = 2') as string, outdated: false });
    const sent = await answered(ada.call<{ turn: Turn }>('POST', of('comments/send'), {}), 202);
    const turn = await finished(sent.turn);
    expect(turn).toMatchObject({ status: 'completed' });
    expect(turn.message).toContain('src/a.ts');
    expect(turn.message).toContain('export const a = 2;');
    expect((await ada.call('POST', of('comments/send'), {})).status).toBeGreaterThanOrEqual(400);
  });

  it('is pushed as a branch that has that person’s commits, and what the remote has is said', async () => {
    await commit('Engine: three');
    const pushed = await push();
    branch = pushed.branch;
    expect(pushed.branch).toMatch(/^chirality\//);
    expect(remote('rev-parse', branch)).toBe(pushed.commit);
    const { author } = (await ada.call<{ data: Turn[] }>('GET', of('turns'))).body.data[0] as Turn;
    const email = `${author.userId.toLowerCase()}@users.chirality.local`;
    expect(remote('log', '-1', '--format=%an|%ae|%cn|%ce|%s', branch)).toBe(`Ada|${email}|Ada|${email}|Engine: three`);
    expect(remote('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', branch).split('\n')).toEqual([
      'src/a.ts',
      'src/b.ts',
      '说明 文.md',
    ]);
    expect(await push()).toMatchObject({ branch, commit: pushed.commit });
  });

  it('becomes a pull request, whose failing check goes to Claude, and is pushed again', async () => {
    const opened = await answered(
      ada.call<{ number: number; state: string }>('POST', of('pull-request'), { title: 'Engine: three', body: 'Why.' }),
      201,
    );
    expect(opened).toMatchObject({ number: 1, state: 'open' });
    expect(api.state.pulls).toMatchObject([{ title: 'Engine: three', head: branch, base: 'trunk' }]);
    const log = `expected 4 ${shell("printf 'export const a = 4;\\n' > src/a.ts")} [[text Four.]]`;
    api.state.checks.push({ id: 1, name: 'unit', status: 'failed', log });
    const shown = await answered(ada.call<PullRequest>('GET', of('pull-request')), 200);
    expect(shown.checks).toMatchObject([{ name: 'unit', status: 'failed' }]);
    const sent = await answered(ada.call<{ turn: Turn }>('POST', of('pull-request/send'), { checks: ['unit'] }), 202);
    expect(await finished(sent.turn)).toMatchObject({ status: 'completed' });
    const fixed = await run(`${shell("printf 'export const a = 4;\\n' > src/a.ts")} [[text Fixed.]]`);
    expect(fixed.status).toBe('completed');
    await commit('Engine: four');
    const pushed = await push();
    expect(pushed.branch).toBe(branch);
    expect(remote('show', `${branch}:src/a.ts`)).toBe('export const a = 4;');
    expect(api.faults).toEqual([]);
    expect(new Set(api.tokens.filter((token) => token !== null))).toEqual(new Set([TOKEN]));
  });

  it('leaves no byte of the credential in a process, log, file, table or queue', async () => {
    await run('[[text Waiting.]]');
    expect(turnProcesses(watched.id).length).toBeGreaterThan(0);
    expect(host.credentials.some((one) => one.includes(Buffer.from(`ada:${TOKEN}`).toString('base64')))).toBe(true);
    for (const secret of [TOKEN, Buffer.from(`ada:${TOKEN}`).toString('base64')]) {
      expect(processesThatShow(secret, [process.pid])).toEqual([]);
      expect(await tablesThatHold(secret, product.stack)).toEqual([]);
      expect(await redisHolds(secret, product.stack)).toBe(false);
      expect(filesThatHold(secret, product.stack.directory)).toEqual([]);
    }
  });

  /** What was sent by someone’s press, answered as that person would: every tool is allowed once. */
  async function finished(turn: Turn): Promise<Turn> {
    await waitFor(
      async () => {
        for (const { id } of await ada.permissions(watched.id)) {
          await ada.call('POST', of(`permissions/${id}`), { decision: 'allow_once' });
        }
        return ['completed', 'failed', 'cancelled'].includes((await ada.turn(watched.id, turn.id)).status);
      },
      { what: `turn ${turn.id} ends`, timeoutMs: 60_000 },
    );
    return ada.turn(watched.id, turn.id);
  }
});
