import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_PRIVATE_HOSTS } from '@chirality/domain';
import { makeGitRepository, runGit, startSshHost, type SshHost } from '@chirality/testing';
import { parsePrivateKey } from 'sshpk';
import { generateKeyPairSync } from 'node:crypto';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { WorkspaceFixture } from '../../../test/workspace-fixture';
import { EgressGateway, networkWithHosts } from '../../egress';
import type { OpenedGitAccount } from '../../git-account/opened-account';
import type { SandboxRequest } from '../../sandbox/sandbox.types';
import { PUSH_REMOTE } from '../remote/push-script';
import { GitTransport } from './git-transport';
import { RemoteRepositories } from './remote-repositories';

jest.setTimeout(60_000);

const HOST = 'ssh.test.example';
const act = { projectId: 'proj_1', teamId: 'team_1', userId: 'user_1' };

function newPair(): { secret: string; line: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = parsePrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }), 'pem');
  return { secret: key.toString('openssh'), line: key.toPublic().toString('ssh') };
}

describeAsOrdinaryUser('git over ssh', () => {
  let fixture: WorkspaceFixture;
  let host: SshHost;
  let gateway: EgressGateway;
  let requests: SandboxRequest[];
  let pins: Map<string, string>;
  const pair = newPair();
  const account = (secret = pair.secret): OpenedGitAccount => ({
    id: 'gitacc_1',
    scope: 'user',
    host: `${HOST}:${host.port}`,
    kind: 'ssh',
    username: null,
    secret,
  });

  beforeAll(async () => {
    host = await startSshHost(HOST);
    host.authorized.add(pair.line);
    makeGitRepository(join(host.directory, 'repo.git'), [{ 'a.txt': '1' }, { 'a.txt': '2' }], 'trunk');
  });
  afterAll(() => host.close());
  beforeEach(() => {
    fixture = new WorkspaceFixture();
    mkdirSync(fixture.path('run'));
    requests = [];
    pins = new Map();
    host.commands.length = 0;
    gateway = new EgressGateway({
      runDir: fixture.path('run'),
      network: networkWithHosts({ [HOST]: '127.0.0.1' }),
      sink: { add: async () => undefined },
      log: { info: () => undefined, warn: () => undefined },
    });
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
        hostKeys: {
          find: async (team, name) => pins.get(`${team} ${name}`) ?? null,
          pin: async ({ teamId }, name, lines) => {
            pins.set(`${teamId} ${name}`, lines);
            return lines;
          },
        },
      }),
      accounts: { act: (_act, _address, run) => run(chosen), with: (_act, given, run) => run(given) },
      privateHosts: NO_PRIVATE_HOSTS,
      scratch: fixture.path('scratch'),
    });
  const fetch = (url: string, chosen: OpenedGitAccount | null) => {
    mkdirSync(fixture.path('fetched'), { recursive: true });
    return remotes(chosen).fetch({
      ...act,
      url,
      directory: fixture.path('fetched'),
      stopped: new AbortController().signal,
      onProgress: () => undefined,
    });
  };

  it('fetches with the account’s key, as the user of the address, and keeps the host’s key', async () => {
    expect(await fetch(host.url('repo.git'), account())).toMatchObject({ branch: 'trunk' });
    expect(host.commands.every((command) => /^git git-upload-pack '\/repo.git'$/.test(command))).toBe(true);
    expect([...pins]).toEqual([
      [
        `team_1 ${HOST}:${host.port}`,
        expect.stringMatching(new RegExp(`^\\[${HOST}\\]:${host.port} ssh-ed25519 AAAA\\S+$`)),
      ],
    ]);
    // The host's key was learned once, before anything signed in.
    expect(requests.map(({ secret }) => secret !== undefined)).toEqual([false, true]);
  });

  it('lists branches, and names the user that git hosts have where the address names none', async () => {
    const url = host.url('repo.git').replace('git@', '');
    expect(await remotes(account()).branches({ ...act, what: 'branches' }, url)).toEqual({
      branches: ['trunk'],
      defaultBranch: 'trunk',
    });
    expect(host.commands).toEqual(["git git-upload-pack '/repo.git'"]);
  });

  it('says that a key is refused, or that there is none', async () => {
    await expect(fetch(host.url('repo.git'), account(newPair().secret))).rejects.toMatchObject({
      failure: { code: 'GIT_AUTH_FAILED', detail: expect.stringContaining('your SSH key') as string },
    });
    await expect(fetch(host.url('repo.git'), null)).rejects.toMatchObject({
      failure: { code: 'GIT_AUTH_FAILED', detail: expect.stringContaining('with an SSH key. Add one') as string },
    });
    await expect(fetch(host.url('missing.git'), account())).rejects.toMatchObject({
      failure: { code: 'SOURCE_NOT_FOUND' },
    });
  });

  it('sends nothing to a host that proves itself by another key than at first', async () => {
    await fetch(host.url('repo.git'), account());
    await host.changeHostKey();
    host.commands.length = 0;
    host.offered.length = 0;
    await expect(fetch(host.url('repo.git'), account())).rejects.toMatchObject({
      failure: { code: 'GIT_HOST_KEY_CHANGED', detail: expect.stringContaining('another key than at first') as string },
    });
    expect([host.commands, host.offered]).toEqual([[], []]);
    pins.clear();
    expect(await fetch(host.url('repo.git'), account())).toMatchObject({ branch: 'trunk' });
  });

  it('says that the host does not answer', async () => {
    await expect(fetch(`ssh://git@${HOST}:1024/repo.git`, account())).rejects.toMatchObject({
      failure: { code: 'SOURCE_UNREACHABLE', detail: expect.stringContaining('did not accept') as string },
    });
    await expect(fetch('git@nowhere.test.example:repo.git', account())).rejects.toMatchObject({
      failure: { code: 'SOURCE_UNREACHABLE' },
    });
  });

  it('pushes with the account’s key, to what the host then has, and learns that a key may not', async () => {
    makeGitRepository(join(host.directory, 'push.git'), [{ 'a.txt': '1' }]);
    await fetch(host.url('push.git'), account());
    const directory = fixture.path('fetched');
    const text = `export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
      git --git-dir="$W/repo.git" commit-tree -p main -m pushed 'main^{tree}'`;
    const script = { text, mounts: { workspace: directory }, timeoutMs: 10_000, maxOutputBytes: 1_000 };
    const commit = (await fixture.scripts.run(script)).stdout.toString('utf8').trim();
    const push = (chosen: OpenedGitAccount) =>
      remotes(chosen).run({ ...act, what: 'push' }, host.url('push.git'), {
        text: PUSH_REMOTE,
        args: ['chirality/s', 'free', commit, ''],
        directory,
      });
    host.commands.length = 0;
    expect(await push(account())).toMatch(`pushed chirality/s ${commit}`);
    expect(runGit(join(host.directory, 'push.git'), ['rev-parse', 'chirality/s'])).toBe(commit);
    expect(host.commands).toContain("git git-receive-pack '/push.git'");
    expect(await push(account())).toMatch('already chirality/s');
    await expect(push(account(newPair().secret))).rejects.toMatchObject({ failure: { code: 'GIT_AUTH_FAILED' } });
  });

  it('leaves no key in a file, an argument or an environment', async () => {
    await fetch(host.url('repo.git'), account());
    // Lines of the key's middle: its first line is the same for all keys.
    const lines = pair.secret.split('\n').slice(2, 5);
    const holds = (text: string | Buffer) => lines.some((line) => text.includes(line));
    expect(holds(pair.secret)).toBe(true);
    const files = readdirSync(fixture.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(
      files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => holds(readFileSync(path))),
    ).toEqual([]);
    for (const { command, env } of requests) expect(holds(JSON.stringify([command, env]))).toBe(false);
  });
});
