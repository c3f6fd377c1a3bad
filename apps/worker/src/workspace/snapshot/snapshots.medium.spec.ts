import { mkdir } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import type { ProjectRepository } from '../project/project.types';
import { WorkspaceMaker } from '../session/workspace-maker';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';
import { NO_CHANGES } from './file-changes';
import { Snapshots, type WorkspaceDirectories } from './snapshots';

jest.setTimeout(60_000);

let fixture: WorkspaceFixture;
let snapshots: Snapshots;
let repository: ProjectRepository;

beforeAll(async () => {
  fixture = new WorkspaceFixture();
  snapshots = new Snapshots(fixture.scripts);
  await fixture.write('allowed/p/a.txt', '1\n2\n3\n');
  await fixture.write('allowed/p/b.txt', 'b\n');
  repository = await fixture
    .projects('a')
    .ensure(buildProjectRecord({ source: { kind: 'directory', path: fixture.path('allowed', 'p') } }));
});
afterAll(() => fixture.close());

let made = 0;
async function workspace(): Promise<{ directories: WorkspaceDirectories; tree: string }> {
  made += 1;
  const directories = {
    workspace: fixture.path(`s${made}`, 'workspace'),
    snapshot: fixture.path(`s${made}`, 'snapshot'),
    objects: repository.objects,
  };
  for (const path of [directories.workspace, directories.snapshot]) await mkdir(path, { recursive: true });
  return {
    directories,
    tree: await new WorkspaceMaker(fixture.scripts).create(directories, repository.baseCommit, 'chirality/s'),
  };
}

async function agent({ workspace: path, objects }: WorkspaceDirectories, text: string): Promise<string> {
  const identity =
    'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b; cd "$W"\n';
  return (
    await fixture.scripts.run({
      text: identity + text,
      mounts: { workspace: path, objects },
      timeoutMs: 10_000,
      maxOutputBytes: 100_000,
    })
  ).stdout.toString('utf8');
}

describeAsOrdinaryUser('comparing a workspace with what it was', () => {
  it('finds nothing when nothing was touched', async () => {
    const { directories, tree } = await workspace();
    expect(await snapshots.compare(directories, tree, 10_000)).toEqual({ tree, changes: NO_CHANGES });
  });

  it('says which files changed by how many lines, with the patch', async () => {
    const { directories, tree } = await workspace();
    await agent(
      directories,
      'printf "1\\n2\\nthree\\nfour\\n" > a.txt; git mv -q b.txt c.txt 2>/dev/null || mv b.txt c.txt; echo n > new.txt',
    );
    const { changes } = await snapshots.compare(directories, tree, 10_000);
    expect(changes).toMatchObject({
      files: [
        { path: 'a.txt', status: 'modified', additions: 2, deletions: 1 },
        { path: 'c.txt', status: 'renamed', additions: 0, deletions: 0 },
        { path: 'new.txt', status: 'added', additions: 1, deletions: 0 },
      ],
      additions: 3,
      deletions: 1,
      truncated: false,
    });
    expect(changes.patch).toContain('-3\n+three\n+four\n');
  });

  it('compares turn with turn, also when the agent committed, reset or lost its repository', async () => {
    const { directories, tree } = await workspace();
    await agent(directories, 'echo 4 >> a.txt; git commit -qam four');
    const first = await snapshots.compare(directories, tree, 10_000);
    expect(first.changes.files).toMatchObject([{ path: 'a.txt', status: 'modified', additions: 1, deletions: 0 }]);
    await agent(directories, 'git reset -q --hard HEAD^; rm -rf .git; rm b.txt');
    const second = await snapshots.compare(directories, first.tree, 10_000);
    expect(second.changes.files).toMatchObject([
      { path: 'a.txt', status: 'modified', additions: 0, deletions: 1 },
      { path: 'b.txt', status: 'deleted', additions: 0, deletions: 1 },
    ]);
  });

  it('shows everything beside a nested repository without a commit', async () => {
    const { directories, tree } = await workspace();
    await agent(directories, 'git init -q empty; echo e > empty/e; echo n > n');
    expect((await snapshots.compare(directories, tree, 10_000)).changes.files.map(({ path }) => path)).toEqual(['n']);
  });

  it('frees a repository whose git was killed', async () => {
    const { directories, tree } = await workspace();
    await agent(
      directories,
      'touch .git/index.lock .git/HEAD.lock .git/refs/heads/x.lock package.lock; mkdir .git/refs/d.lock',
    );
    await snapshots.compare(directories, tree, 10_000);
    expect(
      await agent(directories, 'find . -name "*.lock" | sort; git add -A && git commit -qm works && echo committed'),
    ).toBe('./.git/refs/d.lock\n./package.lock\ncommitted\n');
  });

  it('continues after a look that was killed', async () => {
    const { directories, tree } = await workspace();
    await fixture.scripts.run({
      text: 'touch "$W/git/index.lock"',
      mounts: { workspace: directories.snapshot },
      timeoutMs: 10_000,
      maxOutputBytes: 100,
    });
    expect(await snapshots.compare(directories, tree, 10_000)).toMatchObject({ tree });
  });

  it('never follows a repository that was replaced by a link', async () => {
    const { directories, tree } = await workspace();
    await agent(directories, 'mkdir kept; touch kept/a.lock; rm -rf .git; ln -s kept .git');
    await snapshots.compare(directories, tree, 10_000);
    expect(await agent(directories, 'ls kept')).toBe('a.lock\n');
  });

  it('bounds what a huge change brings home', async () => {
    const { directories, tree } = await workspace();
    await agent(
      directories,
      'mkdir many; i=0; while [ $i -lt 700 ]; do echo $i > many/$i; i=$((i+1)); done; seq 400000 > long.txt',
    );
    const { changes } = await snapshots.compare(directories, tree, 20_000);
    expect(changes.files).toHaveLength(500);
    expect(changes).toMatchObject({ fileCount: 701, atLeast: false });
    expect(changes.truncated).toBe(true);
    expect(changes.additions).toBe(400_700);
    expect(changes.patch.length).toBeLessThanOrEqual(128 * 1024);
  });

  it('does not read new files that are large, whatever they are called', async () => {
    const { directories, tree } = await workspace();
    await agent(
      directories,
      String.raw`mkdir d; for n in large '-x y' 'd/a[1]*?!#\z ' '!b'; do truncate -s 40M "./$n"; done; truncate -s 40M "$(printf 'd/new\nline')"; echo s > d/small`,
    );
    const { changes } = await snapshots.compare(directories, tree, 10_000);
    expect(changes.files.map(({ path }) => path)).toEqual(['d/small']);
    const { stdout } = await fixture.scripts.run({
      text: 'du -sm "$W" | cut -f 1',
      mounts: { workspace: directories.snapshot },
      timeoutMs: 10_000,
      maxOutputBytes: 100,
    });
    expect(Number(stdout.toString())).toBeLessThan(50);
  });

  it('keeps its own store of objects small over many turns', async () => {
    const { directories, tree } = await workspace();
    let since = tree;
    for (let turn = 0; turn < 15; turn += 1) {
      await agent(directories, 'head -c 3000000 /dev/urandom > changing');
      since = (await snapshots.compare(directories, since, 10_000)).tree;
    }
    const { stdout } = await fixture.scripts.run({
      text: 'du -sm "$W" | cut -f 1',
      mounts: { workspace: directories.snapshot },
      timeoutMs: 10_000,
      maxOutputBytes: 100,
    });
    expect(Number(stdout.toString())).toBeLessThan(32);
    expect((await snapshots.compare(directories, tree, 10_000)).changes.files.map(({ path }) => path)).toEqual([
      'changing',
    ]);
  });

  it('continues where a file cannot be read', async () => {
    const { directories, tree } = await workspace();
    await agent(directories, 'echo x > closed; chmod 0 closed; echo y > open');
    expect((await snapshots.compare(directories, tree, 10_000)).changes.files.map(({ path }) => path)).toEqual([
      'open',
    ]);
  });
});
