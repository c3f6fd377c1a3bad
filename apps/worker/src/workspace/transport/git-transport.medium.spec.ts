import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceProgress } from '@chirality/contracts';
import { NO_PRIVATE_HOSTS } from '@chirality/domain';
import { GIT_HOST, makeForgedRepository, makeGitRepository, startGitHost, type GitHost } from '@chirality/testing';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { EgressGateway, networkWithHosts, PUBLIC_NETWORK, type EgressNetwork } from '../../egress';
import { claudeProgram } from '../../harness/claude-code/claude-program';
import { createSandbox } from '../../sandbox/setup/create-sandbox';
import type { Sandbox } from '../../sandbox/sandbox';
import { WorkspaceFixture } from '../../../test/workspace-fixture';
import { GitAccounts } from '../../git-account/git-accounts';
import type { OpenedGitAccount } from '../../git-account/opened-account';
import { GitTransport } from './git-transport';
import { RemoteRepositories } from './remote-repositories';

jest.setTimeout(60_000);

const LOCAL = networkWithHosts({
  [GIT_HOST]: '127.0.0.1',
  'other.test.example': '127.0.0.1',
  'dead.test.example': '127.0.0.2',
});

/** No ssh host is known, and none is reached. */
const hostKeys = { find: async () => null, pin: async () => '' };

/** What a user would choose for every host. */
function accountsOf(account: OpenedGitAccount | null): Pick<GitAccounts, 'act' | 'with'> {
  return { act: (_act, _address, run) => run(account), with: (_act, chosen, run) => run(chosen) };
}

describeAsOrdinaryUser('fetching a repository over the network', () => {
  let fixture: WorkspaceFixture;
  let host: GitHost;
  let decided: object[];
  let gateways: EgressGateway[];

  beforeAll(async () => {
    host = await startGitHost([GIT_HOST, 'other.test.example']);
    makeGitRepository(
      join(host.directory, 'repo.git'),
      [{ 'a.txt': '1' }, { 'a.txt': '2', 'src/b.txt': 'x' }],
      'trunk',
    );
  });
  afterAll(() => host.close());
  beforeEach(() => {
    fixture = new WorkspaceFixture();
    mkdirSync(fixture.path('run'));
    decided = [];
    gateways = [];
  });
  afterEach(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await fixture.close();
  });

  const transport = ({
    network = LOCAL,
    limits = {},
    caFile = host.authorities,
    sandbox = fixture.sandbox,
    account = null,
  }: {
    account?: OpenedGitAccount | null;
    sandbox?: Sandbox;
    network?: EgressNetwork;
    limits?: { timeoutMs?: number; diskBytes?: number };
    caFile?: string | null;
  } = {}) => {
    const gateway = new EgressGateway({
      runDir: fixture.path('run'),
      network,
      sink: { add: async () => undefined },
      log: { info: (facts) => void decided.push(facts), warn: () => undefined },
    });
    gateways.push(gateway);
    const transport = new GitTransport({ sandbox, egress: gateway, limits, caFile, hostKeys });
    return new RemoteRepositories({
      transport,
      accounts: accountsOf(account),
      privateHosts: NO_PRIVATE_HOSTS,
      scratch: fixture.path('scratch'),
    });
  };
  const fetch = async (
    url: string,
    settings: Parameters<typeof transport>[0] = {},
    stopped = new AbortController().signal,
    branch?: string,
  ) => {
    const directory = fixture.path('fetched');
    rmSync(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    const progress: SourceProgress[] = [];
    const fetched = await transport(settings).fetch({
      projectId: 'proj_1',
      teamId: 'team_1',
      userId: 'user_1',
      url,
      branch,
      directory,
      stopped,
      onProgress: (now) => progress.push(now),
    });
    return { ...fetched, directory, progress };
  };
  const git = async (directory: string, ...args: string[]) => {
    const script = {
      text: 'git --git-dir="$W/repo.git" "$@"',
      args,
      mounts: { workspace: directory, workspaceReadOnly: true },
      timeoutMs: 10_000,
      maxOutputBytes: 100_000,
    };
    return (await fixture.scripts.run(script)).stdout.toString('utf8').trim();
  };
  const failure = (code: string, detail: RegExp | string = /./) => ({
    failure: { code, detail: expect.stringMatching(detail) as string },
  });

  it('brings the default branch with its history into a bare repository, and says how far it is', async () => {
    const { branch, directory, progress } = await fetch(host.url('repo.git'));
    expect(branch).toBe('trunk');
    expect(await git(directory, 'log', '--format=%s', 'trunk')).toBe('Commit 2\nCommit 1');
    expect(await git(directory, 'show', 'trunk:src/b.txt')).toBe('x');
    expect(await git(directory, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/trunk');
    expect(progress.at(-1)).toMatchObject({ percent: 100 });
    expect(readdirSync(directory)).toEqual(['repo.git']);
    const config = readFileSync(join(directory, 'repo.git', 'config'), 'utf8');
    expect(config).toContain('hooksPath = /dev/null');
    expect(config).toContain('fsmonitor = false');
    expect(config).not.toContain(GIT_HOST);
    expect(decided).toEqual([
      expect.objectContaining({ project: 'proj_1', host: GIT_HOST, port: host.port, decision: 'allowed' }),
    ]);
  });

  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.1', '::1', 'fd00::1', '::ffff:10.0.0.1'])(
    'reaches nothing where the name leads to %s',
    async (address) => {
      const before = host.requests.length;
      const network: EgressNetwork = {
        resolve: async () => [
          { address: '93.184.216.34', family: 4 },
          { address, family: address.includes(':') ? 6 : 4 },
        ],
        mayReach: PUBLIC_NETWORK.mayReach,
      };
      await expect(fetch(host.url('repo.git'), { network })).rejects.toMatchObject(
        failure('SOURCE_ADDRESS_REFUSED', /leads to a private or local address/),
      );
      expect(host.requests.length).toBe(before);
    },
  );

  it('follows a redirect on the same host, and none to another one or away from https', async () => {
    const to = (url: string) => host.url(`to/${encodeURIComponent(url)}`);
    expect(await fetch(to(host.url('repo.git')))).toMatchObject({ branch: 'trunk' });
    const before = host.requests.length;
    await expect(fetch(to(`https://other.test.example:${host.port}/repo.git`))).rejects.toMatchObject(
      failure('SOURCE_REDIRECTED', `${GIT_HOST} sends on to other.test.example:${host.port}`),
    );
    await expect(fetch(to('https://169.254.169.254/latest'))).rejects.toMatchObject(failure('SOURCE_REDIRECTED'));
    await expect(fetch(to(`http://${GIT_HOST}:${host.port}/repo.git`))).rejects.toMatchObject(
      failure('SOURCE_REDIRECTED', /not https/),
    );
    await expect(fetch(to('file:///etc'))).rejects.toMatchObject(failure('SOURCE_REDIRECTED', /not https/));
    expect(host.requests.slice(before).every((request) => request.includes('/to/'))).toBe(true);
  });

  it.each([
    'http://git.test.example/r',
    'file:///etc',
    'ext::sh -c id',
    '--upload-pack=id',
    'https://ada:s3cret@git.test.example/r',
  ])('does not even start for %s', async (url) => {
    await expect(fetch(url)).rejects.toMatchObject(failure('SOURCE_ADDRESS_REFUSED'));
    expect(decided).toEqual([]);
  });

  it('says what is wrong: a password is asked for, nothing is there, no commit, no certificate, no listener, no such name', async () => {
    makeGitRepository(join(host.directory, 'none.git'), []);
    await expect(fetch(host.url('private.git'))).rejects.toMatchObject(
      failure('GIT_AUTH_FAILED', /only after signing in, and there is no git account/),
    );
    expect(host.credentials).toEqual([]);
    await expect(fetch(host.url('missing.git'))).rejects.toMatchObject(failure('SOURCE_NOT_FOUND'));
    await expect(fetch(host.url('none.git'))).rejects.toMatchObject(failure('SOURCE_EMPTY'));
    await expect(fetch(host.url('repo.git'), { caFile: null })).rejects.toMatchObject(
      failure('SOURCE_UNREACHABLE', /certificate/),
    );
    await expect(fetch(`https://dead.test.example:${host.port}/r`)).rejects.toMatchObject(
      failure('SOURCE_UNREACHABLE', /did not accept/),
    );
    await expect(fetch('https://nowhere.example/r')).rejects.toMatchObject(
      failure('SOURCE_UNREACHABLE', /no host nowhere.example/),
    );
  });

  it('says of a download that is cut that it broke off, and nothing of a certificate', async () => {
    let asked = 0;
    host.answerFirst = async (request, response) => {
      if (!request.url?.endsWith('/repo.git/git-upload-pack') || (asked += 1) < 3) return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      response.write('000dpackfile\n', () => response.socket?.destroy());
      return true;
    };
    await expect(fetch(host.url('repo.git'))).rejects.toMatchObject(failure('SOURCE_UNREACHABLE', /broke off/));
    expect(asked).toBe(3);
    host.answerFirst = async () => false;
  });

  it('runs nothing that a repository brings, and asks for nothing that it names', async () => {
    const script = `#!/bin/sh\ntouch /workspace/ran\n`;
    const submodule = `[submodule "m"]\n\tpath = m\n\turl = ${host.url('other.git')}\n`;
    const planted = {
      '.gitmodules': submodule,
      '.gitattributes': '* filter=x diff=x merge=x\n',
      '.gitconfig': '[core]\n\tfsmonitor = ./evil.sh\n',
      'evil.sh': script,
      config: '[core]\n\tfsmonitor = ./evil.sh\n',
      HEAD: 'ref: refs/heads/main\n',
      'hooks/post-checkout': script,
      'hooks/reference-transaction': script,
      '.lfsconfig': `[lfs]\n\turl = ${host.url('lfs')}\n`,
    };
    makeGitRepository(join(host.directory, 'hostile.git'), [planted]);
    for (const hook of ['post-checkout', 'reference-transaction'])
      expect(planted[`hooks/${hook}` as keyof typeof planted]).toBe(script);
    const before = host.requests.length;
    const { directory } = await fetch(host.url('hostile.git'));
    expect(readdirSync(directory)).toEqual(['repo.git']);
    expect(readdirSync(join(directory, 'repo.git'))).not.toContain('hooks');
    expect(readFileSync(join(directory, 'repo.git', 'config'), 'utf8')).not.toContain('evil');
    expect(host.requests.slice(before).filter((request) => !request.includes('/hostile.git/'))).toEqual([]);
  });

  it.each([
    ['a link in place of .git', ['120000 blob %\t.git'], '/home/agent'],
    ['a file that poses as .git on other systems', ['100644 blob %\tgit~1'], 'gitdir: x'],
    [
      'a submodule whose update is a command',
      ['100644 blob %\t.gitmodules'],
      '[submodule "m"]\n\tpath = m\n\turl = https://x.example/m\n\tupdate = !touch /workspace/ran\n',
    ],
    [
      'a submodule whose address is an option',
      ['100644 blob %\t.gitmodules'],
      '[submodule "m"]\n\tpath = m\n\turl = --upload-pack=id\n',
    ],
    ['.gitmodules that is a link', ['120000 blob %\t.gitmodules'], 'elsewhere'],
  ])('refuses %s', async (what, entries, content) => {
    const name = `${what.replace(/\W+/g, '-')}.git`;
    makeForgedRepository(join(host.directory, name), entries, content);
    await expect(fetch(host.url(name))).rejects.toMatchObject(failure('SOURCE_INVALID'));
    expect(readdirSync(fixture.path('fetched'))).not.toContain('ran');
  });

  it('ends when it grows too large', async () => {
    makeGitRepository(join(host.directory, 'large.git'), [{ 'noise.txt': randomBytes(400_000).toString('base64') }]);
    const sandbox = createSandbox({
      mode: 'bubblewrap',
      production: false,
      runDir: fixture.path('run'),
      searchPath: process.env['PATH'],
      program: claudeProgram(),
      limits: { fileBytes: 100_000 },
    });
    await expect(fetch(host.url('large.git'), { sandbox })).rejects.toMatchObject(
      failure('GIT_TOO_LARGE', /larger than the 2,048 MB/),
    );
    await expect(fetch(host.url('repo.git'), { sandbox })).resolves.toMatchObject({ branch: 'trunk' });
  });

  it('ends when its time is up, and at once when it is stopped', async () => {
    const { held, release } = host.hold('/repo.git/git-upload-pack');
    await expect(fetch(host.url('repo.git'), { limits: { timeoutMs: 1_500 } })).rejects.toMatchObject(
      failure('SOURCE_TIMEOUT'),
    );
    await held;
    release();
    const again = host.hold('/repo.git/git-upload-pack');
    const stop = new AbortController();
    const fetching = fetch(host.url('repo.git'), {}, stop.signal);
    fetching.catch(() => undefined);
    await again.held;
    stop.abort(new Error('no longer wanted'));
    await expect(fetching).rejects.toThrow('no longer wanted');
    again.release();
  });

  it('is not done without a sandbox', async () => {
    const none = createSandbox({
      mode: 'none',
      production: false,
      runDir: fixture.path('run'),
      searchPath: process.env['PATH'],
      program: claudeProgram(),
    });
    const fetching = fetch(host.url('repo.git'), { sandbox: none });
    await expect(fetching).rejects.toMatchObject(failure('SANDBOX_UNAVAILABLE', /from inside a sandbox only/));
  });
});
