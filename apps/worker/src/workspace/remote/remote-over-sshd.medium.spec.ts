import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGitRepository, pushCommit, runGit, sshdProgram, startSshd, type SshdHost } from '@chirality/testing';
import { parsePrivateKey } from 'sshpk';
import { RemoteFixture } from '../../../test/remote-fixture';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';
import type { OpenedGitAccount } from '../../git-account/opened-account';
import { commitFiles } from '../history/commit-files';
import { WorkspaceMaker } from '../session/workspace-maker';
import { RemotePush } from './remote-push';
import { RemoteRefresh } from './remote-refresh';

jest.setTimeout(120_000);

const NAME = 'sshd.test.example';
const WHO = { teamId: 'team_1', userId: 'user_1' };
const NEVER = new AbortController().signal;
const IGNORED = () => undefined;
const describeWithSshd = sshdProgram() === null ? describe.skip : describeAsOrdinaryUser;

function newPair(): { secret: string; line: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = parsePrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }), 'pem');
  return { secret: key.toString('openssh'), line: key.toPublic().toString('ssh') };
}

describeWithSshd('a project at a host with OpenSSH’s own server', () => {
  let fixture: WorkspaceFixture;
  let host: SshdHost;
  let remote: RemoteFixture;
  const pair = newPair();
  const accountOf = (secret: string): OpenedGitAccount => ({
    id: 'gitacc_1',
    scope: 'user',
    host: `${NAME}:${host.port}`,
    kind: 'ssh',
    username: null,
    secret,
  });

  beforeEach(async () => {
    host = await startSshd(NAME);
    host.authorize(pair.line);
    fixture = new WorkspaceFixture();
    remote = new RemoteFixture(fixture, null, NAME);
    remote.account = accountOf(pair.secret);
    makeGitRepository(join(host.directory, 'app.git'), [{ 'a.txt': '1' }]);
  });
  afterEach(async () => {
    await remote.close();
    await fixture.close();
    await host.close();
  });

  it('is fetched, refreshed and pushed to with the account’s key, and refused once the host’s key is another', async () => {
    const url = host.url('app.git');
    const project = buildProjectRecord({ source: { kind: 'git', url }, bundleKey: 'first.bundle' });
    const common = { ...WHO, projectId: project.id, stopped: NEVER, onProgress: IGNORED };
    const projects = fixture.projects('a');
    await projects.storeBundle('first.bundle', (directory) => remote.remotes().fetch({ ...common, url, directory }));
    expect([...remote.pins]).toEqual([
      [`team_1 ${NAME}:${host.port}`, expect.stringMatching(/^\[sshd\.test\.example\]:\d+ ssh-ed25519 AAAA\S+$/)],
    ]);
    const repository = await projects.ensure(project);

    const newer = pushCommit(join(host.directory, 'app.git'), { 'b.txt': '2' });
    const { scripts, blobs } = fixture;
    const parts = { remotes: remote.remotes(), submodules: remote.submodules(), scripts, projects, blobs };
    const refresh = (attempt: number) =>
      new RemoteRefresh(parts).bring({ ...common, source: { kind: 'git', url }, repository, attempt });
    expect(await refresh(1)).toMatchObject({ branch: 'main', baseCommit: newer });

    const workspace = { workspace: fixture.path('w'), snapshot: fixture.path('s'), objects: repository.objects };
    for (const path of [workspace.workspace, workspace.snapshot]) mkdirSync(path);
    writeFileSync(fixture.path('lock'), '');
    const { baseCommit } = repository;
    await new WorkspaceMaker(scripts).create(workspace, baseCommit, 'chirality/s');
    writeFileSync(join(workspace.workspace, '文.txt'), 'changed');
    const context = {
      scripts,
      workspace: { ...workspace, baseCommit, lockFile: fixture.path('lock') },
      timeoutMs: 10_000,
    };
    await commitFiles(context, {
      message: 'Add it',
      author: { name: 'Ada', email: 'ada@example.com' },
    });
    const push = () =>
      new RemotePush({ remotes: remote.remotes(), scripts, projects }).push({
        ...{ projectId: project.id, who: WHO, url, repository, workspace: context.workspace },
        ...{ branch: 'chirality/fix', isChosen: false, lease: null, timeoutMs: 30_000 },
      });
    expect(await push()).toMatchObject({
      pushed: { branch: 'chirality/fix', commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string },
    });
    expect(
      runGit(join(host.directory, 'app.git'), [
        '-c',
        'core.quotePath=false',
        'diff',
        '--name-only',
        'main~1',
        'chirality/fix',
      ]),
    ).toBe('文.txt');
    expect(host.log().match(/Accepted publickey for git/g)?.length).toBeGreaterThanOrEqual(3);

    remote.account = accountOf(newPair().secret);
    await expect(refresh(2)).rejects.toMatchObject({ failure: { code: 'GIT_AUTH_FAILED' } });

    remote.account = accountOf(pair.secret);
    await host.changeHostKey();
    const accepted = () => host.log().match(/Accepted publickey/g)?.length;
    const before = accepted();
    await expect(refresh(3)).rejects.toMatchObject({ failure: { code: 'GIT_HOST_KEY_CHANGED' } });
    await expect(push()).rejects.toMatchObject({ failure: { code: 'GIT_HOST_KEY_CHANGED' } });
    expect(accepted()).toBe(before);
  });
});
