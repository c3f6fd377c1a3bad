import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_PRIVATE_HOSTS } from '@chirality/domain';
import { GIT_HOST, makeGitRepository, startGitHost, type GitHost } from '@chirality/testing';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { WorkspaceFixture } from '../../../test/workspace-fixture';
import { EgressGateway, networkWithHosts } from '../../egress';
import type { OpenedGitAccount } from '../../git-account/opened-account';
import type { SandboxRequest } from '../../sandbox/sandbox.types';
import { GitTransport } from './git-transport';
import { RemoteRepositories } from './remote-repositories';

jest.setTimeout(60_000);

const OTHER = 'other.test.example';
const TOKEN = 'glpat-t0ken-0123456789abcdef';
const act = { projectId: 'proj_1', teamId: 'team_1', userId: 'user_1' };

describeAsOrdinaryUser('signing in to a git host with a token', () => {
  let fixture: WorkspaceFixture;
  let host: GitHost;
  let gateway: EgressGateway;
  let requests: SandboxRequest[];
  const account = (secret = TOKEN): OpenedGitAccount => ({
    id: 'gitacc_1',
    scope: 'user',
    host: `${GIT_HOST}:${host.port}`,
    kind: 'token',
    username: 'ada',
    secret,
  });

  beforeAll(async () => {
    host = await startGitHost([GIT_HOST, OTHER]);
    host.signIn = `ada:${TOKEN}`;
    makeGitRepository(join(host.directory, 'private/repo.git'), [{ 'a.txt': '1' }, { 'a.txt': '2' }], 'trunk');
    makeGitRepository(join(host.directory, 'open.git'), [{ 'a.txt': '1' }]);
  });
  afterAll(() => host.close());
  beforeEach(() => {
    fixture = new WorkspaceFixture();
    mkdirSync(fixture.path('run'));
    requests = [];
    gateway = new EgressGateway({
      runDir: fixture.path('run'),
      network: networkWithHosts({ [GIT_HOST]: '127.0.0.1', [OTHER]: '127.0.0.1' }),
      sink: { add: async () => undefined },
      log: { info: () => undefined, warn: () => undefined },
    });
    host.credentials.length = 0;
  });
  afterEach(async () => {
    await gateway.close();
    await fixture.close();
  });

  const remotes = (chosen: OpenedGitAccount | null) =>
    new RemoteRepositories({
      transport: new GitTransport({
        sandbox: {
          spawn: (request) => {
            requests.push(request);
            return fixture.sandbox.spawn(request);
          },
        },
        egress: gateway,
        hostKeys: { find: async () => null, pin: async () => '' },
        caFile: host.authorities,
      }),
      accounts: { act: (_act, _address, run) => run(chosen), with: (_act, given, run) => run(given) },
      privateHosts: NO_PRIVATE_HOSTS,
      scratch: fixture.path('scratch'),
    });
  const fetch = (url: string, chosen: OpenedGitAccount | null, branch?: string) => {
    mkdirSync(fixture.path('fetched'), { recursive: true });
    return remotes(chosen).fetch({
      ...act,
      url,
      branch,
      directory: fixture.path('fetched'),
      stopped: new AbortController().signal,
      onProgress: () => undefined,
    });
  };

  it('opens a private repository, and nothing of it without', async () => {
    const url = host.url('private/repo.git');
    await expect(fetch(url, null)).rejects.toMatchObject({ failure: { code: 'GIT_AUTH_FAILED' } });
    expect(await fetch(url, account())).toMatchObject({ branch: 'trunk' });
    expect(await remotes(account()).branches({ ...act, what: 'test' }, url)).toEqual({
      branches: ['trunk'],
      defaultBranch: 'trunk',
    });
    expect(readdirSync(fixture.path('scratch'))).toEqual([]);
  });

  it('brings the branch that was chosen, and says that there is none', async () => {
    const url = host.url('private/repo.git');
    await expect(fetch(url, account(), 'none')).rejects.toMatchObject({
      failure: { code: 'SOURCE_NOT_FOUND', detail: expect.stringContaining('no branch of that name') as string },
    });
    expect(await fetch(url, account(), 'trunk')).toMatchObject({ branch: 'trunk' });
  });

  it('says that a token is refused, without it', async () => {
    const wrong = 'wr0ng-t0ken-fedcba9876543210';
    const refusal = (await fetch(host.url('private/repo.git'), account(wrong)).catch((error: unknown) => error)) as {
      failure: { code: string; detail: string };
    };
    expect(refusal.failure).toMatchObject({
      code: 'GIT_AUTH_FAILED',
      detail: expect.stringContaining('did not accept your token') as string,
    });
    expect(JSON.stringify(refusal.failure)).not.toContain(wrong);
  });

  it('goes to its own host alone, also where that sends on', async () => {
    const before = host.requests.length;
    const to = host.url(`to/${encodeURIComponent(`https://${OTHER}:${host.port}/private/repo.git`)}`);
    await expect(fetch(to, account())).rejects.toMatchObject({ failure: { code: 'SOURCE_REDIRECTED' } });
    expect(await fetch(host.url('open.git'), account())).toMatchObject({ branch: 'main' });
    expect(host.credentials).toEqual([]);
    expect(host.requests.slice(before).some((request) => request.includes(` ${OTHER}`))).toBe(false);
  });

  it('is in no argument, environment or file while it is used', async () => {
    const spelled = [TOKEN, Buffer.from(`ada:${TOKEN}`).toString('base64')];
    const holds = (text: string | Buffer) => spelled.some((one) => text.includes(one));
    const { held, release } = host.hold('/private/repo.git/git-upload-pack');
    const fetching = fetch(host.url('private/repo.git'), account());
    await held;
    const inside = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .flatMap((pid) => ['cmdline', 'environ'].map((file) => join('/proc', pid, file)));
    const seen = inside.flatMap((path) => {
      try {
        return [{ path, text: readFileSync(path) }];
      } catch {
        return [];
      }
    });
    expect(seen.some(({ text }) => text.includes('git-upload-pack') || text.includes('remote-https'))).toBe(true);
    expect(seen.filter(({ text }) => holds(text)).map(({ path }) => path)).toEqual([]);
    release();
    await fetching;
    const files = readdirSync(fixture.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(5);
    expect(
      files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => holds(readFileSync(path))),
    ).toEqual([]);
    for (const { command, env, egress } of requests) expect(holds(JSON.stringify([command, env, egress]))).toBe(false);
    expect(host.credentials.filter(holds).length).toBeGreaterThan(0);
  });
});
