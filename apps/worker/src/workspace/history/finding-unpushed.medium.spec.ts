import { mkdir } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';
import type { ProjectRepository } from '../project/project.types';
import { Snapshots, type WorkspaceDirectories } from '../snapshot/snapshots';
import { WorkspaceMaker } from '../session/workspace-maker';
import { findUnpushed } from './find-unpushed';

jest.setTimeout(60_000);

const NOTHING = { files: 0, names: [], commits: [], commitCount: 0, stashes: 0 };

describeAsOrdinaryUser('what a workspace has beyond its project', () => {
  let fixture: WorkspaceFixture;
  let repository: ProjectRepository;

  beforeAll(async () => {
    fixture = new WorkspaceFixture();
    await fixture.write('allowed/p/a.txt', 'one\n');
    await fixture.write('allowed/p/.gitignore', 'ignored/\n');
    const source = { kind: 'directory', path: fixture.path('allowed', 'p') } as const;
    repository = await fixture.projects('a').ensure(buildProjectRecord({ source }));
  });
  afterAll(() => fixture.close());

  async function after(name: string, agent: string) {
    const view: WorkspaceDirectories = {
      workspace: fixture.path('sessions', name, 'workspace'),
      snapshot: fixture.path('sessions', name, 'snapshot'),
      objects: repository.objects,
    };
    for (const path of [view.workspace, view.snapshot]) await mkdir(path, { recursive: true });
    await new WorkspaceMaker(fixture.scripts).create(view, repository.baseCommit, 'chirality/sess_1');
    const identity =
      'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b; cd "$W"\n';
    const mounts = { workspace: view.workspace, objects: view.objects };
    await fixture.scripts.run({ text: identity + agent, mounts, timeoutMs: 20_000, maxOutputBytes: 100_000 });
    await new Snapshots(fixture.scripts).take(view, 20_000);
    return findUnpushed(fixture.scripts, view, [repository.baseCommit]);
  }

  it('is nothing in a new one', async () => {
    expect(await after('new', 'mkdir ignored; echo i > ignored/i')).toEqual(NOTHING);
  });

  it.each<[string, string, { files: number; names: string[] }]>([
    ['edits and new files', 'echo two >> a.txt; echo n > 日本語.md', { files: 2, names: ['a.txt', '日本語.md'] }],
    ['what is only staged', 'echo two >> a.txt; git add a.txt', { files: 1, names: ['a.txt'] }],
    ['what is large', 'truncate -s 40M large.bin', { files: 1, names: ['large.bin'] }],
    ['a new repository inside', 'git init -q sub; echo s > sub/s', { files: 1, names: ['sub/'] }],
    ['deleted files', 'rm a.txt', { files: 1, names: ['a.txt'] }],
    ['what remains without a repository', 'rm -rf .git; echo n > n', { files: 1, names: ['n'] }],
  ])('has %s', async (what, agent, found) => {
    expect(await after(what.replace(/\W+/g, '-'), agent)).toEqual({ ...NOTHING, ...found });
  });

  it('has commits of all branches and tags, with their parents, and stashes', async () => {
    const found = await after(
      'commits',
      'echo 1 > 1; git add 1; git commit -qm "first one"; git checkout -qb other; echo 2 > 2; git add 2; git commit -qm second; git tag -a -m t t1; git checkout -q --detach HEAD^; git branch -qD other; echo 3 >> a.txt; git stash -q',
    );
    expect(found).toMatchObject({ files: 0, commitCount: 2, stashes: 1 });
    expect(found.commits.map(({ subject }) => subject)).toEqual(['second', 'first one']);
    expect(found.commits[0]?.parents).toEqual([found.commits[1]?.commit]);
    expect(found.commits[1]?.parents).toEqual([repository.baseCommit]);
  });

  it('runs nothing that the agent configured', async () => {
    const found = await after(
      'hostile',
      'printf "#!/bin/sh\\ntouch $W/ran\\n" > run.sh; chmod +x run.sh; git add run.sh; git commit -qm run; git config core.fsmonitor $W/run.sh; git config diff.external $W/run.sh; git config log.showSignature true; git config gpg.program $W/run.sh; git config core.pager $W/run.sh',
    );
    expect(found).toMatchObject({ files: 0, commitCount: 1 });
    const ran = { text: 'ls "$W"', mounts: { workspace: fixture.path('sessions', 'hostile', 'workspace') } };
    const { stdout } = await fixture.scripts.run({ ...ran, timeoutMs: 20_000, maxOutputBytes: 1_000 });
    expect(stdout.toString('utf8')).not.toContain('ran\n');
  });

  it('is not guessed where the repository is broken', async () => {
    await expect(after('broken', 'echo nonsense > .git/refs/heads/bad; echo > .git/HEAD')).rejects.toThrow();
  });
});
