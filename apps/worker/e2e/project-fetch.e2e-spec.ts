import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEntry, GitAccount, GitAccountList, Page, Problem, Project } from '@chirality/contracts';
import {
  GIT_HOST,
  makeGitRepository,
  OWNER,
  startGitHost,
  startStack,
  TestClient,
  waitFor,
  type GitHost,
  type Stack,
  type SupervisedProcess,
} from '@chirality/testing';
import { filesThatHold, processesThatShow, redisHolds, tablesThatHold } from './support/find-secret';

jest.setTimeout(180_000);

describe('a project from a git address', () => {
  let host: GitHost;
  let stack: Stack;
  let person: TestClient;
  let worker: SupervisedProcess;

  beforeAll(async () => {
    host = await startGitHost();
    makeGitRepository(
      join(host.directory, 'repo.git'),
      [{ 'lamp.txt': 'first' }, { 'lamp.txt': 'fetched over https' }],
      'trunk',
    );
    stack = await startStack({
      workers: 0,
      env: {
        NODE_ENV: 'test',
        CHIRALITY_TEST_HOSTS: JSON.stringify({ [GIT_HOST]: '127.0.0.1' }),
        CHIRALITY_TEST_AUTHORITIES: host.authorities,
      },
    });
    worker = await stack.superviseWorker('w0');
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
  });
  afterAll(async () => {
    await stack?.stop();
    await host?.close();
  });

  const create = async (repository: string) =>
    (
      await person.call<Project>('POST', '/v1/projects', {
        name: 'Lighthouse',
        source: { kind: 'git', url: host.url(repository) },
      })
    ).body;
  const read = async (id: string) => (await person.call<Project>('GET', `/v1/projects/${id}`)).body;
  const becomes = async (id: string, status: Project['sourceState']['status']) => {
    await waitFor(async () => (await read(id)).sourceState.status === status, {
      what: `the project is ${status}`,
      timeoutMs: 60_000,
      everyMs: 50,
    });
    return (await read(id)).sourceState;
  };
  const openSession = (projectId: string) => person.call<Problem>('POST', '/v1/sessions', { projectId });
  const bundles = (id: string) => readdirSync(join(stack.directory, 'blobs', 'projects', id));

  it('is there at once, says how far it is, and takes sessions when its files are here', async () => {
    const { release, held } = host.hold('/repo.git/git-upload-pack');
    const project = await create('repo.git');
    expect(project.sourceState).toMatchObject({ status: 'waiting', progress: null, error: null });
    await held;
    await waitFor(async () => (await read(project.id)).sourceState.progress !== null, { what: 'progress is shown' });
    expect((await read(project.id)).sourceState).toMatchObject({
      status: 'fetching',
      progress: { phase: 'connecting' },
      error: null,
    });
    expect(await openSession(project.id)).toMatchObject({ status: 409, body: { code: 'PROJECT_NOT_READY' } });
    expect((await person.call('POST', `/v1/projects/${project.id}/fetch`)).status).toBe(409);
    release();
    expect(await becomes(project.id, 'ready')).toMatchObject({ progress: null, error: null });
    const session = await person.createSession(project.id);
    const turn = await person.send(
      session.id,
      '[[tool Bash {"command":"cat lamp.txt; git log --format=%s; git remote -v"}]] [[text Read.]]',
      { autoApproveTools: ['Bash'] },
    );
    expect(await person.waitForEnd(session.id, turn.id, 60_000)).toMatchObject({ status: 'completed' });
    const results = (await person.events(session.id))
      .filter(({ kind }) => kind === 'tool:result')
      .map(({ payload }) => JSON.stringify(payload));
    expect(results.join()).toContain('fetched over httpsCommit 2\\nCommit 1');
  });

  it('comes from a private repository with a token, of which no byte is left anywhere', async () => {
    const [token, wrong] = [1, 2].map(() => `glpat-${randomBytes(24).toString('hex')}`) as [string, string];
    host.signIn = `git:${token}`;
    makeGitRepository(join(host.directory, 'private/safe.git'), [{ 'gold.txt': 'behind a token' }]);
    const setToken = async (secret: string) =>
      (
        await person.call<GitAccount>('POST', '/v1/git-accounts', {
          scope: 'user',
          kind: 'token',
          host: `${GIT_HOST}:${host.port}`,
          secret,
        })
      ).body;
    const { id } = await create('private/safe.git');
    expect((await becomes(id, 'failed')).error).toMatchObject({ code: 'GIT_AUTH_FAILED' });
    const fetchAgain = async () =>
      expect(await person.call('POST', `/v1/projects/${id}/fetch`)).toMatchObject({ status: 202 });
    await setToken(wrong);
    await fetchAgain();
    expect((await becomes(id, 'failed')).error).toMatchObject({
      code: 'GIT_AUTH_FAILED',
      detail: expect.stringContaining('did not accept your token') as string,
    });
    const account = await setToken(token);
    const { held, release } = host.hold('/private/safe.git/git-upload-pack');
    await fetchAgain();
    await held;
    for (const secret of [token, Buffer.from(`git:${token}`).toString('base64')])
      expect(processesThatShow(secret, [])).toEqual([]);
    release();
    await becomes(id, 'ready');

    const session = await person.createSession(id);
    const turn = await person.send(
      session.id,
      '[[tool Bash {"command":"cat gold.txt; env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; git config -l; git remote -v; cat .git/logs/HEAD; ls -l /proc/self/fd"}]] [[text Looked.]]',
      { autoApproveTools: ['Bash'] },
    );
    expect(await person.waitForEnd(session.id, turn.id, 60_000)).toMatchObject({ status: 'completed' });
    const events = JSON.stringify(await person.events(session.id));
    expect(events).toContain('behind a token');
    const { data } = (await person.call<GitAccountList>('GET', '/v1/git-accounts')).body;
    expect(data).toMatchObject([{ id: account.id, lastError: null, lastUsedAt: expect.any(String) as string }]);
    const used = (await person.call<Page<AuditEntry>>('GET', '/v1/audit?action=git-account:use')).body.data;
    expect(used.map(({ object, detail }) => [object, detail['what'], detail['projectId']])).toContainEqual([
      account.id,
      'fetch',
      id,
    ]);
    const logged = JSON.stringify([stack.api, ...stack.workers, worker.current].flatMap(({ lines }) => lines));
    expect(filesThatHold('behind a token', stack.directory).length).toBeGreaterThan(0);
    for (const secret of [token, wrong].flatMap((one) => [one, Buffer.from(`git:${one}`).toString('base64')])) {
      expect(await tablesThatHold(secret, stack)).toEqual([]);
      expect(await redisHolds(secret, stack)).toBe(false);
      expect(filesThatHold(secret, stack.directory)).toEqual([]);
      expect([events, logged, JSON.stringify([data, used])].some((text) => text.includes(secret))).toBe(false);
    }
  });

  it('says why it could not be fetched, and is fetched again when a user asks', async () => {
    const { id } = await create('later.git');
    expect(await becomes(id, 'failed')).toMatchObject({ progress: null, error: { code: 'SOURCE_NOT_FOUND' } });
    expect(await openSession(id)).toMatchObject({ status: 409, body: { code: 'PROJECT_NOT_READY' } });
    makeGitRepository(join(host.directory, 'later.git'), [{ 'a.txt': '1' }]);
    const again = await person.call<Project>('POST', `/v1/projects/${id}/fetch`);
    expect(again).toMatchObject({ status: 202, body: { sourceState: { status: 'waiting', error: null } } });
    await becomes(id, 'ready');
    expect(bundles(id)).toEqual(['fetch-2.bundle']);
  });

  it('is stopped by a person, with no process left and nothing half-fetched, and then fetched again', async () => {
    const { held, release } = host.hold('/repo.git/git-upload-pack');
    const { id } = await create('repo.git');
    await held;
    expect(processesThatShow('remote-https', []).length).toBeGreaterThan(0);
    const stopped = await person.call<Project>('DELETE', `/v1/projects/${id}/fetch`);
    expect(stopped).toMatchObject({
      status: 200,
      body: { sourceState: { status: 'failed', error: { code: 'SOURCE_STOPPED' } } },
    });
    await worker.current.said('source.dropped');
    expect(processesThatShow('remote-https', [])).toEqual([]);
    release();
    expect((await person.call('DELETE', `/v1/projects/${id}/fetch`)).status).toBe(409);
    expect((await person.call('POST', `/v1/projects/${id}/fetch`)).status).toBe(202);
    await becomes(id, 'ready');
    expect(bundles(id)).toEqual(['fetch-2.bundle']);
  });

  it('is fetched again when its worker dies in the middle, and failed when that happens again; nothing half-written is left', async () => {
    makeGitRepository(join(host.directory, 'deadly.git'), [{ 'a.txt': '1' }]);
    const dies = async () => {
      const { held, release } = host.hold('/deadly.git/git-upload-pack');
      return { held, die: () => worker.kill('SIGKILL'), release };
    };
    const first = await dies();
    const { id } = await create('deadly.git');
    await first.held;
    const second = await dies();
    first.die();
    await second.held;
    second.die();
    first.release();
    second.release();
    expect(await becomes(id, 'failed')).toMatchObject({ error: { code: 'WORKER_LOST' }, progress: null });
    await person.call('POST', `/v1/projects/${id}/fetch`);
    await becomes(id, 'ready');
    expect(bundles(id)).toEqual(['fetch-3.bundle']);
    const session = await person.createSession(id);
    const turn = await person.send(session.id, '[[text Here.]]');
    expect(await person.waitForEnd(session.id, turn.id, 60_000)).toMatchObject({ status: 'completed' });
  });

  it('is dropped when it is archived meanwhile', async () => {
    const { held, release } = host.hold('/repo.git/git-upload-pack');
    const { id } = await create('repo.git');
    await held;
    expect((await person.call('DELETE', `/v1/projects/${id}`)).status).toBe(204);
    await worker.current.said('source.dropped');
    release();
    expect(readdirSync(join(stack.directory, 'blobs', 'projects'))).not.toContain(id);
  });

  it.each([
    ['https://ada:s3cret@git.test.example/r', /no user name and no password/],
    ['http://git.test.example/r', /must start with https/],
    ['https://169.254.169.254/latest', /must be a name, not an IP address/],
    ['https://git.test.example/r?token=s3cret', /without \? or #/],
  ])('is refused at once for %s, which is never repeated', async (url, detail) => {
    const answer = await person.call<Problem>('POST', '/v1/projects', { name: 'No', source: { kind: 'git', url } });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', detail: expect.stringMatching(detail) as string },
    });
    expect(JSON.stringify(answer.body)).not.toContain('s3cret');
  });
});
