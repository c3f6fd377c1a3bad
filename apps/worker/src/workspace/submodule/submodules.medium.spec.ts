import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { SourceReport } from '@chirality/contracts';
import { GIT_HOST, makeGitRepository, pushCommit, runGit, startGitHost, type GitHost } from '@chirality/testing';
import { RemoteFixture } from '../../../test/remote-fixture';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';
import type { ProjectRecord, ProjectRepository } from '../project/project.types';
import { RemoteRefresh } from '../remote/remote-refresh';
import { WorkspaceMaker } from '../session/workspace-maker';
import type { WorkspaceDirectories } from '../snapshot/snapshots';

jest.setTimeout(120_000);

const NEVER = new AbortController().signal;
const WHO = { teamId: 'team_1', userId: 'user_1' };
const IGNORED = () => undefined;

describeAsOrdinaryUser('submodules of a project', () => {
  let fixture: WorkspaceFixture;
  let host: GitHost;
  let remote: RemoteFixture;
  let project: ProjectRecord;
  let lastReport: SourceReport | null;

  beforeEach(async () => {
    host = await startGitHost();
    fixture = new WorkspaceFixture();
    remote = new RemoteFixture(fixture, host);
  });
  afterEach(async () => {
    await remote.close();
    await fixture.close();
    await host.close();
  });

  const bare = (name: string) => join(host.directory, name);
  const head = (name: string) => runGit(bare(name), ['rev-parse', 'HEAD']);
  /** One commit more, which has these repositories as its submodules. */
  const link = (name: string, modules: Record<string, { url: string; commit: string }>): void => {
    const work = `${bare(name)}.work`;
    const text = Object.entries(modules)
      .map(([path, { url }]) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`)
      .join('');
    pushCommit(bare(name), { '.gitmodules': text });
    for (const [path, { commit }] of Object.entries(modules))
      runGit(work, ['update-index', '--add', '--cacheinfo', `160000,${commit},${path}`]);
    runGit(work, ['commit', '-q', '-m', 'Link']);
    runGit(work, ['push', '-q', '--force', bare(name), 'HEAD:refs/heads/main']);
  };
  const fetch = async (name: string, limits?: Parameters<RemoteFixture['submodules']>[0]) => {
    project = buildProjectRecord({ source: { kind: 'git', url: host.url(name) } });
    const key = `projects/${project.id}/fetch-1.bundle`;
    lastReport = null;
    const filled = async (directory: string) => {
      const act = { ...WHO, projectId: project.id, what: 'fetch' as const };
      const common = { url: host.url(name), directory, stopped: NEVER, onProgress: IGNORED };
      const fetched = await remote.remotes().fetch({ ...WHO, projectId: project.id, ...common });
      const wanted = { act, commit: fetched.baseCommit, ...common };
      lastReport = (await remote.submodules(limits).bring(wanted)).report;
      return fetched;
    };
    await fixture.projects('a').storeBundle(key, filled);
    project = { ...project, bundleKey: key };
    return (lastReport as SourceReport | null)?.submodules ?? null;
  };
  const directories = async (name: string, { objects }: ProjectRepository): Promise<WorkspaceDirectories> => {
    const made = { workspace: fixture.path(name, 'workspace'), snapshot: fixture.path(name, 'snapshot'), objects };
    for (const path of [made.workspace, made.snapshot]) await mkdir(path, { recursive: true });
    return made;
  };
  const agent = async ({ workspace, objects }: WorkspaceDirectories, text: string) => {
    const identity = 'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b\n';
    const script = { text: `${identity}cd "$W"\n${text}`, mounts: { workspace, objects }, timeoutMs: 20_000 };
    return (await fixture.scripts.run({ ...script, maxOutputBytes: 100_000 })).stdout.toString('utf8');
  };
  const makeTree = (): void => {
    makeGitRepository(bare('deep.git'), [{ 'deep.txt': 'deepest' }]);
    makeGitRepository(bare('lib.git'), [{ 'lib.txt': 'library' }]);
    link('lib.git', { inner: { url: '../deep.git', commit: head('deep.git') } });
    makeGitRepository(bare('app.git'), [{ 'app.txt': 'app' }]);
  };

  it('are files of every workspace, on a worker that only has the stored project too, and of nested ones', async () => {
    makeTree();
    const modules = {
      'libs/lib': { url: '../lib.git', commit: head('lib.git') },
      'libs/same host': { url: host.url('deep.git'), commit: head('deep.git') },
    };
    link('app.git', modules);
    expect(await fetch('app.git')).toEqual({ included: 3, leftCount: 0, left: [] });
    const repository = await fixture.projects('b').ensure(project);
    const made = await directories('new', repository);
    const maker = new WorkspaceMaker(fixture.scripts);
    await maker.create(made, repository.baseCommit, 'chirality/sess_1');
    const files = 'cat app.txt libs/lib/lib.txt libs/lib/inner/deep.txt "libs/same host/deep.txt"';
    expect(await agent(made, `${files}; git status --porcelain; git -C libs/lib status --porcelain`)).toBe(
      'applibrarydeepestdeepest',
    );
    expect(await agent(made, 'git -C libs/lib log --format=%s; git -C libs/lib count-objects')).toBe(
      'Link\nChange .gitmodules\nCommit 1\n0 objects, 0 kilobytes\n',
    );

    const restored = async (name: string) => {
      const packed = await maker.pack(made, repository.baseCommit, buffer);
      const to = await directories(name, repository);
      await maker.restore(to, repository.baseCommit, Readable.from([packed]));
      return { to, bytes: packed.length };
    };
    const untouched = await restored('untouched');
    expect(await agent(untouched.to, `${files}; git status --porcelain`)).toBe('applibrarydeepestdeepest');
    // What is not committed, deep inside, and what is, is kept as well.
    await agent(
      made,
      'echo edited > libs/lib/inner/deep.txt; cd "libs/same host"; echo n > new.txt; git add -A; git commit -qm own',
    );
    const kept = await restored('kept');
    expect(await agent(kept.to, `${files}; git -C "libs/same host" log --format=%s`)).toBe(
      'applibraryedited\ndeepestown\nCommit 1\n',
    );
    expect(await agent(kept.to, 'git -C libs/lib/inner status --porcelain; cat "libs/same host/new.txt"')).toBe(
      ' M deep.txt\nn\n',
    );
  });

  it('are looked at together with Git LFS: its pointers are counted, with what they stand for', async () => {
    const pointer = (size: number) =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize ${size}\n`;
    const files = { 'a.psd': pointer(3_000_000_000), 'art/文 b.psd': pointer(12), 'plain.txt': pointer(5).slice(5) };
    makeGitRepository(bare('lfs.git'), [{ ...files, 'art/.gitattributes': '*.psd filter=lfs -text\n' }]);
    await fetch('lfs.git');
    expect(lastReport?.lfs).toEqual({ pointers: 2, bytes: 3_000_000_012 });
    makeGitRepository(bare('none.git'), [files]);
    await fetch('none.git');
    expect(lastReport?.lfs).toEqual({ pointers: 0, bytes: 0 });
  });

  it('that lead elsewhere are refused and named, and the rest works', async () => {
    makeTree();
    const commit = head('deep.git');
    const elsewhere = {
      other: 'https://other.test.example/a.git',
      local: '/etc',
      file: 'file:///etc',
      program: 'ext::sh -c touch% /tmp/x',
      up: '../../../../etc',
      secret: `https://ada:s3cret@${GIT_HOST}/a.git`,
    };
    const modules = Object.fromEntries(
      Object.entries(elsewhere).map(([path, url]) => [path, { url, commit: 'd'.repeat(40) }]),
    );
    const missing = { url: '../lib.git', commit: 'f'.repeat(40) };
    const lost = { url: '../gone.git', commit: 'e'.repeat(40) };
    link('app.git', { ...modules, missing, lost, good: { url: '../deep.git', commit } });
    host.requests.length = 0;
    const report = await fetch('app.git');
    expect(report).toMatchObject({ included: 1, leftCount: 8 });
    const reasons = Object.fromEntries((report?.left ?? []).map(({ path, reason }) => [path, reason]));
    expect(reasons).toEqual({
      other: 'it is on another host (other.test.example)',
      local: 'its address is a path of another machine',
      file: 'its address is a path of another machine',
      program: 'its address is none that is fetched: only https and ssh are, without credentials',
      up: 'its address leads above the host',
      secret: 'its address is none that is fetched: only https and ssh are, without credentials',
      lost: expect.stringMatching(/no repository at this address/) as string,
      missing: 'The host does not have the commit that the project names.',
    });
    expect(host.requests.every((line) => line.includes(` ${GIT_HOST}:`))).toBe(true);
    const repository = await fixture.projects('a').ensure(project);
    const made = await directories('rest', repository);
    await new WorkspaceMaker(fixture.scripts).create(made, repository.baseCommit, 'chirality/sess_1');
    expect(await agent(made, 'cat app.txt good/deep.txt; ls -A other | wc -l; git status --porcelain')).toBe(
      'appdeepest0\n',
    );
  });

  it('that are left out stay empty where the project has their commit for another reason', async () => {
    makeGitRepository(bare('app.git'), [{ 'app.txt': 'first' }]);
    link('app.git', { own: { url: 'https://other.test.example/app.git', commit: head('app.git') } });
    expect(await fetch('app.git')).toMatchObject({ included: 0, left: [{ path: 'own' }] });
    for (const worker of ['a', 'b']) {
      const repository = await fixture.projects(worker).ensure(project);
      const made = await directories(`empty-${worker}`, repository);
      await new WorkspaceMaker(fixture.scripts).create(made, repository.baseCommit, 'chirality/sess_1');
      expect(await agent(made, 'cat app.txt; ls -A own | wc -l; git status --porcelain')).toBe('first0\n');
    }
  });

  it('are bounded in depth and in number, also where one has itself', async () => {
    makeTree();
    link('app.git', { lib: { url: '../lib.git', commit: head('lib.git') } });
    expect(await fetch('app.git', { depth: 1, count: 100, totalMs: 60_000 })).toMatchObject({
      included: 1,
      left: [{ path: 'lib/inner', reason: 'submodules are fetched to a depth of 1' }],
    });
    expect(await fetch('app.git', { depth: 4, count: 1, totalMs: 60_000 })).toMatchObject({
      included: 1,
      left: [{ path: 'lib/inner', reason: 'at most 1 submodules of a project are fetched' }],
    });
  });

  it('are not made without end where commits of the project name one another', async () => {
    makeGitRepository(bare('app.git'), [{ 'app.txt': 'app' }]);
    const wide = (commit: string) =>
      Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((path) => [path, { url: './', commit }]));
    for (let level = 0; level < 6; level += 1) link('app.git', wide(head('app.git')));
    await fetch('app.git');
    const repository = await fixture.projects('a').ensure(project);
    const made = await directories('wide', repository);
    const maker = new WorkspaceMaker(fixture.scripts);
    await maker.create(made, repository.baseCommit, 'chirality/sess_1');
    expect(
      await agent(made, 'find . -mindepth 2 -name .git | wc -l; [ ! -e a/a/a/a/a/.git ]; cat a/a/a/a/app.txt'),
    ).toBe('100\napp');
  });

  it('are written nowhere else where a link stands in their way', async () => {
    makeTree();
    link('app.git', { 'libs/deep': { url: '../deep.git', commit: head('deep.git') } });
    await fetch('app.git');
    const repository = await fixture.projects('a').ensure(project);
    const made = await directories('first', repository);
    const maker = new WorkspaceMaker(fixture.scripts);
    await maker.create(made, repository.baseCommit, 'chirality/sess_1');
    await agent(made, 'rm -rf libs; mkdir -p other/deep; echo x > other/x; ln -s other libs');
    const packed = await maker.pack(made, repository.baseCommit, buffer);
    const to = await directories('second', repository);
    await mkdir(join(to.workspace, 'other/deep'), { recursive: true });
    await maker.restore(to, repository.baseCommit, Readable.from([packed]));
    expect(await agent(to, 'ls -A other other/deep')).not.toContain('deep.txt');
  });

  it('come with a refresh, and those of earlier commits stay for sessions that began there', async () => {
    makeTree();
    link('app.git', { lib: { url: '../lib.git', commit: head('lib.git') } });
    await fetch('app.git');
    const projects = fixture.projects('a');
    const before = await projects.ensure(project);
    const old = before.baseCommit;
    pushCommit(bare('lib.git'), { 'lib.txt': 'newer library' });
    link('app.git', { lib: { url: '../lib.git', commit: head('lib.git') } });
    const { scripts, blobs } = fixture;
    const submodules = remote.submodules();
    const source = { kind: 'git' as const, url: host.url('app.git') };
    const parts = { remotes: remote.remotes(), submodules, scripts, projects, blobs };
    const common = { ...WHO, projectId: project.id, source, stopped: NEVER, onProgress: IGNORED };
    const brought = await new RemoteRefresh(parts).bring({ ...common, repository: before, attempt: 1 });
    expect(brought.report).toMatchObject({ submodules: { included: 1, leftCount: 0, left: [] } });
    const refreshed = { ...project, bundleKey: brought.bundleKey };
    for (const [worker, base, text] of [
      ['a', brought.baseCommit, 'newer library'],
      ['a', old, 'library'],
      ['b', brought.baseCommit, 'newer library'],
      ['b', old, 'library'],
    ] as const) {
      const repository = await fixture.projects(worker).ensure(refreshed);
      const made = await directories(`${worker}-${base}`, repository);
      await new WorkspaceMaker(scripts).create(made, base, 'chirality/sess_1');
      const inner = base === old ? 'deepest' : '';
      expect(await agent(made, 'cat lib/lib.txt; cat lib/inner/deep.txt 2>/dev/null || :')).toBe(text + inner);
    }
  });
});
