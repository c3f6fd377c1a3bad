import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceProgress } from '@chirality/contracts';
import {
  bodyOfRequest,
  GIT_HOST,
  makeGitRepository,
  pushCommit,
  runGit,
  startGitHost,
  type GitHost,
} from '@chirality/testing';
import { RemoteFixture } from '../../../test/remote-fixture';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';
import type { ProjectRepositories } from '../project/project-repositories';
import type { ProjectRecord, ProjectRepository } from '../project/project.types';
import { RemoteRefresh } from './remote-refresh';

jest.setTimeout(60_000);

describeAsOrdinaryUser('refreshing a project from its remote', () => {
  let fixture: WorkspaceFixture;
  let host: GitHost;
  let remote: RemoteFixture;
  let projects: ProjectRepositories;
  let project: ProjectRecord;
  let repository: ProjectRepository;
  let made = 0;

  beforeAll(async () => {
    host = await startGitHost();
  });
  afterAll(() => host.close());
  beforeEach(async () => {
    fixture = new WorkspaceFixture();
    remote = new RemoteFixture(fixture, host);
    projects = fixture.projects('a');
    makeGitRepository(bare(), [{ 'a.txt': '1' }, { 'a.txt': '2' }]);
    project = buildProjectRecord({ source: { kind: 'git', url: host.url(name()) }, bundleKey: null });
    const key = `projects/${project.id}/fetch-1.bundle`;
    await projects.storeBundle(key, (directory) =>
      remote.remotes().fetch({
        ...WHO,
        projectId: project.id,
        url: host.url(name()),
        directory,
        stopped: NEVER,
        onProgress: IGNORED,
      }),
    );
    project = { ...project, bundleKey: key };
    repository = await projects.ensure(project);
  });
  afterEach(async () => {
    made += 1;
    await remote.close();
    await fixture.close();
  });

  const NEVER = new AbortController().signal;
  const WHO = { teamId: 'team_1', userId: 'user_1' };
  const IGNORED = () => undefined;
  const name = () => `r${made}.git`;
  const bare = () => join(host.directory, name());
  const git = async ({ path }: ProjectRepository, ...args: string[]) => {
    const mounts = { workspace: path, workspaceReadOnly: true };
    const script = { text: 'git --git-dir="$W" "$@"', args, mounts, timeoutMs: 10_000, maxOutputBytes: 100_000 };
    return (await fixture.scripts.run(script)).stdout.toString('utf8').trim();
  };
  let attempt = 0;
  const refresh = async (
    source: { branch?: string; url?: string } = {},
    stopped = NEVER,
    timeoutMs = 30_000,
    onProgress: (progress: SourceProgress) => void = IGNORED,
  ) => {
    const { scripts, blobs } = fixture;
    attempt += 1;
    const submodules = remote.submodules();
    return new RemoteRefresh({ remotes: remote.remotes({ timeoutMs }), submodules, scripts, projects, blobs }).bring({
      ...WHO,
      projectId: project.id,
      source: { kind: 'git', url: host.url(name()), ...source },
      repository,
      attempt,
      stopped,
      onProgress,
    });
  };
  const take = async (bundleKey: string | null) => {
    project = { ...project, bundleKey };
    repository = await projects.ensure(project);
    return repository;
  };

  it('adds what is new to the repository where it lies, and a worker that has nothing builds all of it', async () => {
    const before = repository;
    const commit = pushCommit(bare(), { 'b.txt': 'new' });
    const brought = await refresh();
    expect(brought).toMatchObject({ branch: 'main', baseCommit: commit, note: null });
    expect(repository.baseCommit).not.toBe(commit);
    expect(await take(brought.bundleKey)).toMatchObject({ baseCommit: commit, path: before.path });
    expect(await git(repository, 'show', 'HEAD:b.txt')).toBe('new');
    // A row that was read before the refresh: what is here is newer and has all of it.
    expect((await projects.ensure({ ...project, bundleKey: before.bundleKey })).baseCommit).toBe(commit);
    const elsewhere = await fixture.projects('b').ensure(project);
    expect([elsewhere.baseCommit, await git(elsewhere, 'rev-list', '--count', 'HEAD')]).toEqual([commit, '3']);
  });

  it('stores nothing where the remote has nothing new', async () => {
    expect(await refresh()).toEqual({
      bundleKey: null,
      branch: 'main',
      baseCommit: repository.baseCommit,
      note: null,
      report: {
        submodules: { included: 0, leftCount: 0, left: [] },
        lfs: { pointers: 0, bytes: 0 },
        leftOut: null,
      },
    });
    expect(await fixture.blobs.exists(`projects/${project.id}/refresh-${attempt}/whole.bundle`)).toBe(false);
  });

  it('says by how many commits the remote is ahead before they are here, and when they do not come', async () => {
    runGit(bare(), ['config', 'uploadpack.allowFilter', 'true']);
    pushCommit(bare(), { 'b.txt': 'new' });
    const commit = pushCommit(bare(), { 'c.txt': 'newer' });
    // The fetch of the files hangs; the one of the commits alone is answered.
    host.answerFirst = async (request) => {
      const text = await bodyOfRequest(request);
      return text.includes('command=fetch') && !text.includes('filter tree:0');
    };
    const stopping = new AbortController();
    const seen: SourceProgress['remote'][] = [];
    const stopped = refresh({}, stopping.signal, 30_000, ({ remote: at }) => {
      seen.push(at);
      if (at?.behind != null) stopping.abort(new Error('stopped'));
    });
    await expect(stopped).rejects.toThrow('stopped');
    host.answerFirst = () => Promise.resolve(false);
    expect(seen[0]).toEqual({ commit, behind: null });
    expect(seen.at(-1)).toEqual({ commit, behind: 2 });
  });

  it('follows a forced push, and keeps the commits that sessions began at on every worker', async () => {
    const began = repository.baseCommit;
    const commit = pushCommit(bare(), { 'c.txt': 'rewritten' }, { instead: true });
    const brought = await refresh();
    expect(brought).toMatchObject({ baseCommit: commit, note: expect.stringContaining('rewritten') as string });
    await take(brought.bundleKey);
    const elsewhere = await fixture.projects('b').ensure(project);
    for (const one of [repository, elsewhere]) {
      expect(one.baseCommit).toBe(commit);
      expect(await git(one, 'show', `${began}:a.txt`)).toBe('2');
    }
    // Also after one more refresh, by which time no branch has it.
    const latest = pushCommit(bare(), { 'd.txt': 'more' });
    await take((await refresh()).bundleKey);
    const third = await fixture.projects('c').ensure(project);
    expect(third.baseCommit).toBe(latest);
    expect(await git(third, 'show', `${began}:a.txt`)).toBe('2');
  });

  it('follows a remote that went back to an earlier commit', async () => {
    const earlier = runGit(bare(), ['rev-parse', 'main^']);
    runGit(bare(), ['update-ref', 'refs/heads/main', earlier]);
    const brought = await refresh();
    expect(brought.baseCommit).toBe(earlier);
    expect((await take(brought.bundleKey)).baseCommit).toBe(earlier);
    expect(await git(repository, 'for-each-ref', '--format=%(refname)')).toMatch(
      /^refs\/chirality\/bases\/\w+\nrefs\/heads\/main$/,
    );
  });

  it('follows a default branch that was renamed, and says so', async () => {
    runGit(bare(), ['branch', '-m', 'main', 'main2']);
    runGit(bare(), ['branch', '-m', 'main2', 'main/trunk']);
    const brought = await refresh();
    expect(brought).toMatchObject({
      branch: 'main/trunk',
      note: expect.stringContaining('is now main/trunk') as string,
    });
    expect(await take(brought.bundleKey)).toMatchObject({ branch: 'main/trunk' });
  });

  const failure = (code: string, detail: RegExp | string = /./) => ({
    failure: { code, detail: expect.stringMatching(detail) as string },
  });

  it('says that the branch is gone, and names the default one', async () => {
    await expect(refresh({ branch: 'release' })).rejects.toMatchObject(
      failure('GIT_REMOTE_GONE', /branch release\. Its default branch is main/),
    );
    runGit(bare(), ['symbolic-ref', 'HEAD', 'refs/heads/gone']);
    await expect(refresh()).rejects.toMatchObject(failure('GIT_REMOTE_GONE', /no longer has a default branch/));
  });

  it('says that the repository is gone, private, or its host away', async () => {
    await expect(refresh({ url: host.url('private.git') })).rejects.toMatchObject(
      failure('GIT_AUTH_FAILED', /no git account for git\.test\.example/),
    );
    rmSync(bare(), { recursive: true });
    await expect(refresh()).rejects.toMatchObject(failure('GIT_REMOTE_GONE', /remote is gone, or closed/));
    await expect(refresh({ url: `https://nowhere.test.example/r.git` })).rejects.toMatchObject(
      failure('GIT_HOST_UNREACHABLE'),
    );
  });

  it('gives a host that stalls its time and no more, and ends when it is stopped', async () => {
    for (const path of ['/info/refs', '/git-upload-pack']) {
      pushCommit(bare(), { 'x.txt': path });
      const { release } = host.hold(`/${name()}${path}`);
      await expect(refresh({}, NEVER, 1_500)).rejects.toMatchObject(
        failure('GIT_HOST_UNREACHABLE', /not fetched within/),
      );
      release();
    }
    const stop = new AbortController();
    const { held, release } = host.hold(`/${name()}/info/refs`);
    const stopped = expect(refresh({}, stop.signal)).rejects.toThrow('enough');
    await held;
    stop.abort(new Error('enough'));
    await stopped;
    release();
    expect(readdirSync(fixture.path('data', 'a', 'projects'))).toEqual([project.id]);
  });

  it('runs no hook and no watcher of what it fetches, and leaves no address behind', async () => {
    pushCommit(bare(), { '.gitattributes': '* filter=x', 'hooks/post-checkout': '#!/bin/sh\ntouch /tmp/ran' });
    await take((await refresh()).bundleKey);
    expect(await git(repository, 'config', '--list', '--local')).toMatch(
      /core\.hookspath=\/dev\/null\ncore\.fsmonitor=false/,
    );
    expect(await git(repository, 'config', '--list', '--local')).not.toContain(GIT_HOST);
  });

  it('is completed by the next one where a worker died while it added what is new', async () => {
    pushCommit(bare(), { 'b.txt': 'new' });
    const { bundleKey, baseCommit } = await refresh();
    const directory = join(repository.path, '..');
    // What a killed update leaves: branches already set aside, a half-written pack, a lock.
    await fixture.scripts.run({
      text: 'cd "$W/repo.git"; git update-ref refs/chirality/bases/x HEAD; git update-ref -d refs/heads/main; touch objects/pack/tmp_pack_x refs/heads/main.lock; echo half > "$W/in.bundle"',
      mounts: { workspace: directory },
      timeoutMs: 10_000,
      maxOutputBytes: 1_000,
    });
    expect((await take(bundleKey)).baseCommit).toBe(baseCommit);
    expect(readdirSync(directory).sort()).toEqual(['project.json', 'repo.git']);
  });
});
