import { chmod, mkdir, readdir, readFile, stat, symlink, truncate } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';

jest.setTimeout(60_000);

let fixture: WorkspaceFixture;
beforeEach(() => {
  fixture = new WorkspaceFixture();
});
afterEach(() => fixture.close());

/** What git says of a repository, asked inside the sandbox. */
async function git(repository: string, ...args: string[]): Promise<string> {
  const script = {
    text: 'git --git-dir="$W" "$@"',
    args,
    mounts: { workspace: repository, workspaceReadOnly: true },
    timeoutMs: 10_000,
    maxOutputBytes: 100_000,
  };
  return (await fixture.scripts.run(script)).stdout.toString('utf8').trim();
}

/** Makes a git repository in a directory, in the sandbox as well. */
async function shell(directory: string, text: string): Promise<void> {
  const identity = 'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b; ';
  await fixture.scripts.run({
    text: identity + text,
    mounts: { workspace: directory },
    timeoutMs: 10_000,
    maxOutputBytes: 100_000,
  });
}

describeAsOrdinaryUser('an empty project', () => {
  it('starts with one commit of a README that has its name', async () => {
    const repository = await fixture.projects('a').ensure(buildProjectRecord({ name: 'Light house\nKeeper' }));
    expect(repository.branch).toBe('main');
    expect(await git(repository.path, 'rev-list', '--count', 'main')).toBe('1');
    expect(await git(repository.path, 'show', 'main:README.md')).toBe('# Light house Keeper');
    expect(await git(repository.path, 'rev-parse', 'main')).toBe(repository.baseCommit);
  });

  it('starts with the files of the sample project where it was asked for', async () => {
    const repository = await fixture
      .projects('a')
      .ensure(buildProjectRecord({ source: { kind: 'empty', sample: true } }));
    expect((await git(repository.path, 'ls-tree', '-r', '--name-only', 'main')).split('\n')).toEqual([
      'README.md',
      'package.json',
      'src/cart.js',
      'src/discounts.js',
      'test/cart.test.js',
    ]);
  });

  it('is built once for all who ask at the same time', async () => {
    const projects = fixture.projects('a');
    const project = buildProjectRecord();
    const [one, two] = await Promise.all([projects.ensure(project), projects.ensure(project)]);
    expect(one).toEqual(two);
    expect(fixture.bundles.keys.size).toBe(1);
  });

  it('has one base commit on two workers that never met, each on an empty disk', async () => {
    const project = buildProjectRecord();
    const [a, b] = await Promise.all([fixture.projects('a').ensure(project), fixture.projects('b').ensure(project)]);
    expect(a.baseCommit).toBe(b.baseCommit);
    expect(a.path).not.toBe(b.path);
  });

  it('is restored from its bundle although the source is gone', async () => {
    const directory = fixture.path('allowed', 'gone');
    await fixture.write('allowed/gone/a.txt', 'kept');
    const project = buildProjectRecord({ source: { kind: 'directory', path: directory } });
    const a = await fixture.projects('a').ensure(project);
    const bundleKey = fixture.bundles.keys.get(project.id) ?? null;
    const b = await fixture
      .projects('b')
      .ensure({ ...project, source: { kind: 'directory', path: fixture.path('allowed', 'nowhere') }, bundleKey });
    expect(b.baseCommit).toBe(a.baseCommit);
    expect(await git(b.path, 'show', 'main:a.txt')).toBe('kept');
  });

  it('says so when its bundle is lost', async () => {
    const project = buildProjectRecord({ bundleKey: 'projects/p/none.bundle' });
    await expect(fixture.projects('a').ensure(project)).rejects.toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' });
  });

  it('has a repository without hooks, without automatic gc, that checks what it takes in', async () => {
    const { path } = await fixture.projects('a').ensure(buildProjectRecord());
    const config = await readFile(`${path}/config`, 'utf8');
    expect(config).toContain('hooksPath = /dev/null');
    expect(config).toContain('auto = 0');
    expect(config).toContain('fsckObjects = true');
    await expect(stat(`${path}/hooks`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describeAsOrdinaryUser('a project from a directory', () => {
  const from = (path: string) => buildProjectRecord({ source: { kind: 'directory', path } });

  it('gives plain files one commit, ignored ones left out', async () => {
    await fixture.write('allowed/site/.gitignore', 'secret.txt\n');
    await fixture.write('allowed/site/secret.txt', 'no');
    await fixture.write('allowed/site/src/a b.txt', 'yes');
    const repository = await fixture.projects('a').ensure(from(fixture.path('allowed', 'site')));
    expect((await git(repository.path, 'ls-tree', '-r', '--name-only', 'main')).split('\n')).toEqual([
      '.gitignore',
      'src/a b.txt',
    ]);
  });

  it('keeps branch and history of a git repository, and what is not committed stays out', async () => {
    await fixture.write('allowed/repo/a.txt', '1');
    await shell(
      fixture.path('allowed', 'repo'),
      'git init -q -b trunk . && git add -A && git commit -qm one && echo 2 > a.txt && git commit -qam two && echo 3 > a.txt',
    );
    const repository = await fixture.projects('a').ensure(from(fixture.path('allowed', 'repo')));
    expect(repository.branch).toBe('trunk');
    expect(await git(repository.path, 'log', '--format=%s', 'trunk')).toBe('two\none');
    expect(await git(repository.path, 'show', 'trunk:a.txt')).toBe('2');
  });

  it('never runs hooks or configured programs of the source', async () => {
    await fixture.write('allowed/evil/a.txt', '1');
    const plant =
      'printf "#!/bin/sh\\ntouch $W/ran\\n" > ran.sh; chmod +x ran.sh; mkdir -p .git/hooks; for h in post-checkout post-upload-pack pre-commit reference-transaction; do cp ran.sh .git/hooks/$h; done; git config core.fsmonitor $W/ran.sh; git config uploadpack.packObjectsHook $W/ran.sh; git config core.hooksPath .git/hooks; git config filter.x.clean $W/ran.sh; echo "* filter=x" > .gitattributes';
    await shell(fixture.path('allowed', 'evil'), `git init -q . && git add a.txt && git commit -qm one && ${plant}`);
    const { path } = await fixture.projects('a').ensure(from(fixture.path('allowed', 'evil')));
    expect(await git(path, 'ls-tree', '--name-only', 'HEAD')).toBe('a.txt');
    expect(await readFile(`${path}/config`, 'utf8')).not.toContain('ran.sh');
    await expect(stat(fixture.path('allowed', 'evil', 'ran'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('takes the files alone where the history is not whole', async () => {
    await fixture.write('allowed/deep/a.txt', '1');
    await shell(
      fixture.path('allowed', 'deep'),
      'git init -q . && git add -A && git commit -qm one && git commit -q --allow-empty -m two && git rev-parse HEAD > .git/shallow',
    );
    const { path } = await fixture.projects('a').ensure(from(fixture.path('allowed', 'deep')));
    expect(await git(path, 'log', '--format=%s', 'main')).toBe('Initial commit');
  });

  it.each([
    ['a file that points to a repository elsewhere', 'echo "gitdir: /etc" > .git'],
    ['a repository without a commit', 'git init -q .'],
  ])('takes the files of %s', async (_what, make) => {
    await fixture.write('allowed/odd/a.txt', '1');
    await shell(fixture.path('allowed', 'odd'), make);
    const { path } = await fixture.projects('a').ensure(from(fixture.path('allowed', 'odd')));
    expect(await git(path, 'ls-tree', '--name-only', 'main')).toBe('a.txt');
  });

  it.each([
    '/',
    '/etc',
    '/allowed',
    'relative',
    '%/allowed-not',
    '%/allowed/../secret',
    '%/allowed/none',
    '%/allowed/link',
    '%/allowed/file',
    '%/data',
    '%/data/blobs',
  ])('refuses %s', async (path) => {
    await mkdir(fixture.path('allowed-not'), { recursive: true });
    await fixture.write('secret/a.txt', 'no');
    await fixture.write('allowed/file', 'no');
    await symlink(fixture.path('secret'), fixture.path('allowed', 'link'));
    await expect(fixture.projects('a').ensure(from(path.replace('%', fixture.root)))).rejects.toMatchObject({
      code: 'WORKING_ROOT_INACCESSIBLE',
    });
  });

  it("leaves the service's own data out of a directory that contains it", async () => {
    await fixture.write('allowed/home/a.txt', 'yes');
    await fixture.write('allowed/home/own data/secret-key', 'no');
    const projects = fixture.projects('a', fixture.path('allowed', 'home', 'own data'));
    const { path } = await projects.ensure(from(fixture.path('allowed', 'home')));
    expect((await git(path, 'ls-tree', '-r', '--name-only', 'main')).split('\n')).toEqual(['a.txt']);
  });

  it('says that a directory cannot be read', async () => {
    await fixture.write('allowed/closed/a.txt', 'no');
    await chmod(fixture.path('allowed', 'closed'), 0);
    await expect(fixture.projects('a').ensure(from(fixture.path('allowed', 'closed')))).rejects.toMatchObject({
      code: 'WORKING_ROOT_INACCESSIBLE',
      detail: expect.stringContaining('cannot be read'),
    });
    await chmod(fixture.path('allowed', 'closed'), 0o700);
  });

  it('refuses what is far too large, and does not count what is ignored', async () => {
    await fixture.write('allowed/big/.gitignore', 'build/\n');
    await fixture.write('allowed/big/build/a', '');
    await truncate(fixture.path('allowed', 'big', 'build', 'a'), 3e9);
    await expect(fixture.projects('a').ensure(from(fixture.path('allowed', 'big')))).resolves.toMatchObject({
      branch: 'main',
    });
    await fixture.write('allowed/big/b', '');
    await truncate(fixture.path('allowed', 'big', 'b'), 3e9);
    await expect(fixture.projects('a').ensure(from(fixture.path('allowed', 'big')))).rejects.toMatchObject({
      code: 'WORKING_ROOT_INACCESSIBLE',
      detail: expect.stringContaining('larger than 2 GB'),
    });
  });

  it('leaves out a file that it may not read, and takes the rest', async () => {
    await fixture.write('allowed/mixed/a.txt', 'yes');
    await chmod(await fixture.write('allowed/mixed/b.txt', 'no'), 0);
    const { path } = await fixture.projects('a').ensure(from(fixture.path('allowed', 'mixed')));
    expect(await git(path, 'ls-tree', '--name-only', 'main')).toBe('a.txt');
  });
});

describeAsOrdinaryUser('a project that was fetched', () => {
  const NEVER = new AbortController().signal;
  const fetched = async (isPacked: boolean, settle: () => Promise<boolean>) => {
    const project = buildProjectRecord({ source: { kind: 'git', url: 'https://git.example.com/a.git' } });
    const key = `projects/${project.id}/fetch-1.bundle`;
    const projects = fixture.projects('a');
    const fill = async (directory: string) => {
      await shell(
        directory,
        `git init -q --bare --template= -b main "$W/repo.git"; cd "$W/repo.git"
        git update-ref refs/heads/main "$(git commit-tree -m one "$(git mktree < /dev/null)")"
        mkdir -p hooks; echo bad > hooks/post-checkout; echo half > objects/pack/tmp_pack_x; echo x > "$W/beside"`,
      );
      return { branch: 'main' };
    };
    const counts = await projects.storeFetched({ projectId: project.id, key, isPacked, stopped: NEVER }, fill, settle);
    return { project: { ...project, bundleKey: key }, projects, counts };
  };

  it('stays on the worker that fetched it, clean, and needs no bundle there', async () => {
    const { project, projects, counts } = await fetched(true, async () => true);
    expect(counts).toBe(true);
    await fixture.blobs.delete(project.bundleKey);
    const repository = await projects.ensure(project);
    expect(await git(repository.path, 'rev-parse', 'main')).toBe(repository.baseCommit);
    expect(await readdir(fixture.path('data', 'a', 'projects', project.id))).toEqual(['project.json', 'repo.git']);
    expect(await readdir(repository.path)).not.toContain('hooks');
    expect(await readdir(`${repository.objects}/pack`)).toEqual([]);
  });

  it('is built of its bundle where another one counts, or its objects are not packed', async () => {
    const other = await fetched(true, async () => false);
    expect(other.counts).toBe(false);
    expect(await other.projects.here(other.project.id)).toBeNull();
    const loose = await fetched(false, async () => true);
    expect(await loose.projects.here(loose.project.id)).toBeNull();
    expect((await loose.projects.ensure(loose.project)).branch).toBe('main');
  });
});
