import { mkdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import type { ProjectRepository } from '../project/project.types';
import { Snapshots, type WorkspaceDirectories } from '../snapshot/snapshots';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';
import { WorkspaceMaker } from './workspace-maker';

jest.setTimeout(60_000);

let fixture: WorkspaceFixture;
let maker: WorkspaceMaker;
let repository: ProjectRepository;

beforeAll(async () => {
  fixture = new WorkspaceFixture();
  maker = new WorkspaceMaker(fixture.scripts);
  for (const [path, content] of Object.entries({
    'a.txt': 'one\ntwo\nthree\n',
    'dir/b.txt': 'b\n',
    'gone.txt': 'x\n',
    'turns/into-file/c.txt': 'c\n',
    'becomes-dir': 'd\n',
    '.gitignore': 'ignored/\n',
  })) {
    await fixture.write(`allowed/p/${path}`, content);
  }
  repository = await fixture
    .projects('a')
    .ensure(buildProjectRecord({ source: { kind: 'directory', path: fixture.path('allowed', 'p') } }));
});
afterAll(() => fixture.close());

async function directories(name: string): Promise<WorkspaceDirectories> {
  const made = {
    workspace: fixture.path('sessions', name, 'workspace'),
    snapshot: fixture.path('sessions', name, 'snapshot'),
    objects: repository.objects,
  };
  for (const path of [made.workspace, made.snapshot]) await mkdir(path, { recursive: true });
  return made;
}

/** Runs a command in a workspace as the agent would. */
async function agent({ workspace, objects }: WorkspaceDirectories, text: string): Promise<string> {
  const identity =
    'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b; cd "$W"\n';
  return (
    await fixture.scripts.run({
      text: identity + text,
      mounts: { workspace, objects },
      timeoutMs: 20_000,
      maxOutputBytes: 1_000_000,
    })
  ).stdout.toString('utf8');
}

/** Everything about the files and the repository that a person or the model could notice. */
const EVERYTHING = String.raw`
find . -path ./.git -prune -o -path '*/.git/*' -prune -o ! -path './ignored*' -printf '%y %M %P -> %l\n' | sort
find . -path ./.git -prune -o -type f ! -path './ignored*' ! -path '*/.git/*' -print0 | sort -z | xargs -0 sha1sum
git status --porcelain=v2 --branch; git log --all --oneline --graph; git stash list; git diff; git diff --cached; git branch -a; git fsck 2>&1
`;

async function packAndRestore(from: WorkspaceDirectories, name: string): Promise<WorkspaceDirectories> {
  const packed = await maker.pack(from, repository.baseCommit, buffer);
  const to = await directories(name);
  const tree = await maker.restore(to, repository.baseCommit, Readable.from([packed]));
  expect(tree).toBe(await new Snapshots(fixture.scripts).take(from, 10_000));
  return to;
}

describeAsOrdinaryUser('a new workspace', () => {
  it("is on the session's own branch at the base commit, clean, and borrows the project's objects", async () => {
    const made = await directories('new');
    const tree = await maker.create(made, repository.baseCommit, 'chirality/sess_1');
    expect(
      await agent(made, 'git status --porcelain=v2 --branch; git rev-parse HEAD "HEAD^{tree}"; git count-objects'),
    ).toBe(
      `# branch.oid ${repository.baseCommit}\n# branch.head chirality/sess_1\n${repository.baseCommit}\n${tree}\n0 objects, 0 kilobytes\n`,
    );
    expect(await agent(made, 'cat a.txt dir/b.txt; ls .git/hooks 2>/dev/null | wc -l; stat -c %A a.txt dir')).toBe(
      'one\ntwo\nthree\nb\n0\n-rw-r--r--\ndrwxr-xr-x\n',
    );
  });

  it('cannot change the project through the objects it borrows', async () => {
    const made = await directories('readonly');
    await maker.create(made, repository.baseCommit, 'chirality/sess_2');
    await expect(agent(made, 'find "$O" -type f | head -1 | xargs chmod u+w')).rejects.toThrow(/Read-only file system/);
  });

  it("leaves the program's local state out of commits", async () => {
    const made = await directories('exclude');
    await maker.create(made, repository.baseCommit, 'chirality/sess_3');
    expect(
      await agent(
        made,
        'mkdir .claude; touch .claude/settings.local.json .claude/agents.md; git status --porcelain -uall',
      ),
    ).toBe('?? .claude/agents.md\n');
  });
});

describeAsOrdinaryUser('packing and rebuilding a workspace', () => {
  it.each<[string, string]>([
    ['nothing changed', 'true'],
    [
      'edits, additions and deletions',
      'echo four >> a.txt; rm gone.txt; mkdir -p x/y; echo n > x/y/n.txt; mkdir ignored; echo i > ignored/i',
    ],
    [
      'names that try their luck',
      String.raw`printf x > "$(printf 'new\nline')"; printf x > '-rf'; printf x > '"quoted" $HOME'; printf x > ' '; mkdir -- '--help'; printf x > ./--help/-C; printf x > 'b\a\c'; printf x > "$(printf 'caf\303\251 \360\237\216\211 \377')"`,
    ],
    [
      'modes and links',
      'chmod +x a.txt; ln -s /etc/passwd out; ln -s nowhere dangling; ln -s dir/b.txt in; ln -s ../../.. up',
    ],
    [
      'a file that became a directory and the reverse',
      'rm becomes-dir; mkdir becomes-dir; echo z > becomes-dir/z; rm -r turns/into-file; echo f > turns/into-file',
    ],
    ['a directory that became a link', 'mv dir moved; ln -s moved dir'],
    [
      'commits, branches and a stash',
      'echo 1 > n1; git add n1; git commit -qm one; git checkout -qb other; echo 2 > n2; git add n2; git commit -qm two; echo 3 >> n2; git stash -q; echo 4 > a.txt; git tag t1',
    ],
    [
      'what is staged and what is not',
      'echo staged > a.txt; git add a.txt; echo unstaged > a.txt; git rm -q --cached gone.txt; echo n > n; git add -N n',
    ],
    [
      'a merge that waits for a decision',
      'git checkout -qb left; echo left > a.txt; git commit -qam left; git checkout -q -b right HEAD^; echo right > a.txt; git commit -qam right; git merge left > /dev/null || true',
    ],
    [
      'a history moved aside',
      'git checkout -q --orphan fresh; git commit -qm fresh; git branch -D chirality/sess_4 > /dev/null 2>&1 || true',
    ],
    [
      'a nested repository with a commit',
      'git init -q sub; echo s > sub/s; echo "*.log" > sub/.gitignore; (cd sub && git add -A && git commit -qm sub); echo more > sub/more; rm -rf sub/x.log',
    ],
    ['a large new file', 'head -c 1000 /dev/urandom > large.bin; truncate -s 40M large.bin; echo s > small'],
    ['a nested repository without one', 'git init -q empty; echo e > empty/e; mkdir empty/d; echo f > empty/d/f'],
  ])('keeps %s', async (what, script) => {
    const name = what.replace(/\W+/g, '-');
    const from = await directories(name);
    await maker.create(from, repository.baseCommit, 'chirality/sess_4');
    await agent(from, script);
    const before = await agent(from, EVERYTHING);
    const to = await packAndRestore(from, `${name}-restored`);
    expect(await agent(to, EVERYTHING)).toBe(before);
  });

  it('keeps the files of a workspace whose repository is gone', async () => {
    const from = await directories('no-git');
    await maker.create(from, repository.baseCommit, 'chirality/sess_5');
    await agent(from, 'rm -rf .git gone.txt; echo new > new.txt');
    const to = await packAndRestore(from, 'no-git-restored');
    expect(await agent(to, 'ls -A; cat new.txt')).toBe('.gitignore\na.txt\nbecomes-dir\ndir\nnew.txt\nturns\nnew\n');
  });

  it('leaves ignored files behind', async () => {
    const from = await directories('ignored');
    await maker.create(from, repository.baseCommit, 'chirality/sess_6');
    await agent(from, 'mkdir ignored; echo i > ignored/i');
    const to = await packAndRestore(from, 'ignored-restored');
    expect(await agent(to, 'ls -d ignored 2>/dev/null | wc -l')).toBe('0\n');
  });

  it('runs nothing that the agent configured, neither to pack nor to rebuild', async () => {
    const from = await directories('hostile');
    await maker.create(from, repository.baseCommit, 'chirality/sess_7');
    await agent(
      from,
      'printf "#!/bin/sh\\ntouch $W/ran\\n" > run.sh; chmod +x run.sh; git config core.fsmonitor $W/run.sh; git config filter.x.clean $W/run.sh; git config filter.x.smudge $W/run.sh; echo "* filter=x diff=x" > .gitattributes; git config diff.x.textconv $W/run.sh; mkdir -p .git/hooks; for h in post-checkout post-index-change reference-transaction; do cp run.sh .git/hooks/$h; done; echo changed > a.txt',
    );
    const to = await packAndRestore(from, 'hostile-restored');
    expect(await agent(from, 'ls ran 2>/dev/null | wc -l')).toBe('0\n');
    expect(await agent(to, 'ls ran 2>/dev/null | wc -l; cat a.txt')).toBe('0\nchanged\n');
  });

  it('is refused when it is too large, with the size', async () => {
    const from = await directories('large');
    await maker.create(from, repository.baseCommit, 'chirality/sess_8');
    await agent(from, 'truncate -s 300M large.bin');
    await expect(maker.pack(from, repository.baseCommit, buffer)).rejects.toMatchObject({ code: 46 });
  });

  it('fails whole when the archive is cut', async () => {
    const from = await directories('cut');
    await maker.create(from, repository.baseCommit, 'chirality/sess_9');
    await agent(from, 'head -c 100000 /dev/urandom > r');
    const packed = await maker.pack(from, repository.baseCommit, buffer);
    await expect(
      maker.restore(
        await directories('cut-restored'),
        repository.baseCommit,
        Readable.from([packed.subarray(0, packed.length / 2)]),
      ),
    ).rejects.toMatchObject({ name: 'Error', code: expect.any(Number) });
  });
});
