import { mkdir, writeFile } from 'node:fs/promises';
import { parseUnifiedDiff } from '@chirality/domain';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { WorkspaceMaker } from '../session/workspace-maker';
import { buildProjectRecord, WorkspaceLab } from '../testing/workspace-lab';
import type { ActContext } from './act-context';
import { commitFiles } from './commit-files';
import { diffFiles } from './diff-files';
import { filePatch } from './file-patch';
import { listCommits } from './list-commits';
import { listFiles } from './list-files';
import { readFile } from './read-file';

jest.setTimeout(60_000);

let lab: WorkspaceLab;
let context: ActContext;

beforeAll(async () => {
  lab = new WorkspaceLab();
  await lab.write('allowed/p/a.txt', '1\n2\n3\n');
  await lab.write('allowed/p/dir/b.txt', 'b\n');
});
afterAll(() => lab.close());

const session = { scope: 'session' } as const;
const uncommitted = { scope: 'uncommitted' } as const;

let made = 0;
beforeEach(async () => {
  made += 1;
  const repository = await lab.projects('a').ensure(buildProjectRecord({ source: { kind: 'directory', path: lab.path('allowed', 'p') } }));
  const directory = lab.path('sessions', `sess${made}`);
  const directories = { workspace: `${directory}/workspace`, snapshot: `${directory}/snapshot`, objects: repository.objects };
  for (const path of [directories.workspace, directories.snapshot]) await mkdir(path, { recursive: true });
  await writeFile(`${directory}/lock`, '');
  await new WorkspaceMaker(lab.scripts).create(directories, repository.baseCommit, 'chirality/s');
  context = { scripts: lab.scripts, workspace: { ...directories, baseCommit: repository.baseCommit, lockFile: `${directory}/lock` }, timeoutMs: 10_000 };
});

/** What the agent does to its workspace. */
async function agent(text: string): Promise<string> {
  const { workspace, objects } = context.workspace;
  const identity = 'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b; cd "$W"\n';
  return (await lab.scripts.run({ text: identity + text, mounts: { workspace, objects }, timeoutMs: 10_000, maxOutputBytes: 100_000 })).stdout.toString('utf8');
}

async function refusalOf(act: Promise<unknown>): Promise<unknown> {
  return act.then(
    () => 'answered',
    (error: { code: unknown }) => error.code,
  );
}

describeAsOrdinaryUser('listing files', () => {
  it('shows one level, sorted by name, without .git', async () => {
    await agent('printf 12345 > "z 1"; printf x > Z; mkdir .hidden "$(printf "new\\nline")"; ln -s a.txt link; mkfifo pipe; git init -q nested');
    expect(await listFiles(context, '')).toEqual({
      act: 'list-files',
      list: {
        data: [
          { path: '.hidden', kind: 'directory', size: 0 },
          { path: 'dir', kind: 'directory', size: 0 },
          { path: 'nested', kind: 'directory', size: 0 },
          { path: 'new\nline', kind: 'directory', size: 0 },
          { path: 'Z', kind: 'file', size: 1 },
          { path: 'a.txt', kind: 'file', size: 6 },
          { path: 'link', kind: 'symlink', size: 0 },
          { path: 'pipe', kind: 'other', size: 0 },
          { path: 'z 1', kind: 'file', size: 5 },
        ],
        nextCursor: null,
        total: 9,
        left: 0,
      },
    });
    expect(await listFiles(context, 'nested')).toMatchObject({ list: { data: [] } });
  });

  it('names files by their path in the workspace', async () => {
    expect(await listFiles(context, './dir/')).toMatchObject({ list: { data: [{ path: 'dir/b.txt', kind: 'file', size: 2 }] } });
  });

  it('lists a large directory in pages that say how much is left', async () => {
    await agent('mkdir many; cd many; seq 1200 | xargs touch; mkdir zz');
    const seen: string[] = [];
    const left: number[] = [];
    let cursor: string | undefined;
    do {
      const reply = await listFiles(context, 'many', cursor);
      if (reply.act !== 'list-files') throw new Error(reply.act);
      expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(256 * 1024);
      expect(reply.list.total).toBe(1_201);
      seen.push(...reply.list.data.map(({ path }) => path));
      left.push(reply.list.left);
      cursor = reply.list.nextCursor ?? undefined;
      if (seen.length === 500) await agent(`rm "${seen.at(-1)}"; touch "${seen.at(-1)}"`);
    } while (cursor !== undefined);
    expect(left).toEqual([701, 201, 0]);
    expect(seen[0]).toBe('many/zz');
    expect(new Set(seen).size).toBe(1_201);
    for (const bad of ['x', '../etc', '0/a/b', '2/a']) expect(await refusalOf(listFiles(context, 'many', bad))).toBe('VALIDATION_FAILED');
  });

  it('follows a link within the workspace and none that leads out', async () => {
    await agent('ln -s dir in; ln -s / root; ln -s /workspace/dir absolute; ln -s ../.. up; ln -s nowhere dangling; ln -s .git repo; ln -s . self');
    expect(await listFiles(context, 'in')).toMatchObject({ list: { data: [{ path: 'in/b.txt' }] } });
    expect(await listFiles(context, 'absolute')).toMatchObject({ list: { data: [{ path: 'absolute/b.txt' }] } });
    expect(await listFiles(context, 'self/self/dir')).toMatchObject({ list: { data: [{ path: 'self/self/dir/b.txt' }] } });
    for (const path of ['root', 'root/etc', 'up', 'dangling', 'repo', 'a.txt', 'none', 'dir/none']) expect(await refusalOf(listFiles(context, path))).toBe(44);
  });
});

describeAsOrdinaryUser('reading a file', () => {
  it('gives text, and base64 for the rest', async () => {
    await agent(String.raw`printf 'caf\303\251' > t; printf '\377\000' > b; : > empty`);
    expect(await readFile(context, 't')).toEqual({ act: 'read-file', file: { path: 't', size: 5, encoding: 'utf8', content: 'café', truncated: false } });
    expect(await readFile(context, 'b')).toMatchObject({ file: { size: 2, encoding: 'base64', content: '/wA=', truncated: false } });
    expect(await readFile(context, 'empty')).toMatchObject({ file: { size: 0, encoding: 'utf8', content: '', truncated: false } });
  });

  it.each(['yes é', String.raw`yes "\\\\"`, 'cat /dev/urandom'])('answers within 256 KiB whatever is in the file: %s', async (what) => {
    await agent(`${what} | head -c 700000 > large`);
    const reply = await readFile(context, 'large');
    expect(reply).toMatchObject({ file: { size: 700_000, truncated: true } });
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(256 * 1024);
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeGreaterThan(254 * 1024);
  });

  it('reads names that look like options, patterns and commands', async () => {
    await agent(String.raw`for n in -rf --help '*' '$(id)' '; ls' "$(printf 'end\n')x" "$(printf 'a\nb')"; do printf %s "$n" > "./$n"; done; mkdir -- '-d'; echo in > ./-d/-e`);
    for (const name of ['-rf', '--help', '*', '$(id)', '; ls', 'a\nb']) expect(await readFile(context, name)).toMatchObject({ file: { content: name } });
    expect(await readFile(context, '-d/-e')).toMatchObject({ file: { content: 'in\n' } });
  });

  it('reads no directory, pipe, socket, link that leads out or dangles, and nothing of .git', async () => {
    await agent('mkfifo pipe; ln -s /etc/passwd passwd; ln -s /proc/self/environ env; ln -s ../sess10/workspace/secret sibling; ln -s nowhere dangling; ln -s loop loop; ln -s .git/config config; ln -s / root; ln -s .git repo; ln -s a.txt/ slash');
    for (const path of ['', 'dir', 'pipe', 'passwd', 'env', 'sibling', 'dangling', 'loop', 'config', 'root/etc/passwd', 'repo/config', 'slash', 'a.txt/x', 'none']) {
      const act = readFile(context, path);
      expect([44, 'NOT_FOUND']).toContain(await refusalOf(act));
    }
  });

  it('follows a link within the workspace', async () => {
    await agent('ln -s dir/b.txt in; ln -s /workspace/a.txt absolute; ln -s dir d');
    expect(await readFile(context, 'in')).toMatchObject({ file: { content: 'b\n' } });
    expect(await readFile(context, 'absolute')).toMatchObject({ file: { content: '1\n2\n3\n' } });
    expect(await readFile(context, 'd/b.txt')).toMatchObject({ file: { content: 'b\n' } });
  });

  it("cannot reach a neighbour whose directory's name begins with its own", async () => {
    await mkdir(lab.path('sessions', 'sess10', 'workspace'), { recursive: true });
    await writeFile(lab.path('sessions', 'sess10', 'workspace', 'secret'), 'theirs');
    await agent(`ln -s ${lab.path('sessions', 'sess10', 'workspace')} there; ln -s ../../sess10 up`);
    expect(await refusalOf(readFile(context, 'there/secret'))).toBe(44);
    expect(await refusalOf(readFile(context, 'up/workspace/secret'))).toBe(44);
    expect(await refusalOf(listFiles(context, 'there'))).toBe(44);
  });

  it('reads nothing from outside while a directory and a link change places', async () => {
    await lab.write('outside/b.txt', 'OUTSIDE');
    await agent(`ln -s /etc evil; mkdir -p real; echo mine > real/passwd; cp -r real swap`);
    const { workspace, objects } = context.workspace;
    const swapping = lab.sandbox.spawn({
      profile: 'workspace',
      paths: { workspace, objects },
      command: ['/bin/sh', '-c', 'while :; do mv swap x; ln -s /etc swap; rm swap; mv x swap; done'],
    });
    try {
      const answers = new Set<unknown>();
      for (let round = 0; round < 40; round += 1) {
        const answer = readFile(context, 'swap/passwd').then((reply) => (reply.act === 'read-file' ? reply.file.content : reply.act));
        answers.add(await answer.catch((error: { code: unknown }) => error.code));
      }
      expect([...answers].filter((answer) => answer !== 'mine\n' && answer !== 44)).toEqual([]);
    } finally {
      swapping.killTree();
      await swapping.exited;
    }
  });
});

describeAsOrdinaryUser('the diff', () => {
  it('is empty for a fresh session', async () => {
    expect(await diffFiles(context, session)).toEqual({
      act: 'diff',
      diff: { base: context.workspace.baseCommit, head: context.workspace.baseCommit, branch: 'chirality/s', files: [], nextCursor: null, totals: { files: 0, additions: 0, deletions: 0, atLeast: false }, patch: '', truncated: false, nested: [], skipped: [] },
    });
  });

  it('compares with where the session began: commits, edits, new and deleted files alike', async () => {
    await agent('echo 4 >> a.txt; git commit -qam four; echo 5 >> a.txt; rm dir/b.txt; mkdir n; echo new > n/new.txt; git checkout -q -b elsewhere');
    const reply = await diffFiles(context, session);
    expect(reply).toMatchObject({
      diff: {
        files: [
          { path: 'a.txt', status: 'modified', additions: 2, deletions: 0 },
          { path: 'dir/b.txt', status: 'deleted', additions: 0, deletions: 1 },
          { path: 'n/new.txt', status: 'added', additions: 1, deletions: 0 },
        ],
        truncated: false,
      },
    });
    expect(reply).toMatchObject({ diff: { patch: expect.stringContaining('+++ b/n/new.txt\n@@ -0,0 +1 @@\n+new\n') } });
  });

  it('compares with a commit, branch or tag that a person names', async () => {
    await agent('echo 4 >> a.txt; git commit -qam four; git tag v1; echo 5 >> a.txt');
    for (const base of ['HEAD', 'v1', 'chirality/s', 'HEAD~0', 'v1^{commit}']) {
      expect(await diffFiles(context, { ...session, base })).toMatchObject({ diff: { files: [{ path: 'a.txt', additions: 1 }], base: expect.stringMatching(/^[0-9a-f]{40}$/) } });
    }
    expect(await diffFiles(context, { ...session, base: 'HEAD~1' })).toMatchObject({ diff: { files: [{ path: 'a.txt', additions: 2 }], base: context.workspace.baseCommit } });
    expect(await refusalOf(diffFiles(context, { ...session, base: 'nowhere' }))).toBe(44);
    for (const base of ['--output=x', '-p', 'a b', '', 'a:b', 'a\nb', '@']) expect(await refusalOf(diffFiles(context, { ...session, base }))).toBe('VALIDATION_FAILED');
  });

  it('works without the repository of the session', async () => {
    await agent('rm -rf .git; echo new > new.txt');
    expect(await diffFiles(context, session)).toMatchObject({ diff: { files: [{ path: 'new.txt', status: 'added' }] } });
  });

  it('counts every file exactly, lists them in pages, and one large file hides no other', async () => {
    await agent(String.raw`mkdir many; i=0; while [ $i -lt 1500 ]; do echo $i > many/file-$i; i=$((i+1)); done
      seq 60000 > a-lock.json; head -c 5000000 /dev/zero | tr '\0' x > b-line; printf '\0bin' > c-binary; : > d-empty; echo small > z-small`);
    const reply = await diffFiles(context, session);
    if (reply.act !== 'diff') throw new Error(reply.act);
    const { diff } = reply;
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(256 * 1024);
    expect(diff.totals).toEqual({ files: 1_505, additions: 61_502, deletions: 0, atLeast: false });
    expect(diff.files).toHaveLength(200);
    expect(diff.files.slice(0, 5)).toEqual([
      { path: 'a-lock.json', status: 'added', additions: 60_000, deletions: 0, binary: false, patch: 'folded', patchBytes: expect.any(Number) },
      { path: 'b-line', status: 'added', additions: 1, deletions: 0, binary: false, patch: 'folded', patchBytes: expect.any(Number) },
      { path: 'c-binary', status: 'added', additions: 0, deletions: 0, binary: true, patch: 'shown', patchBytes: expect.any(Number) },
      { path: 'd-empty', status: 'added', additions: 0, deletions: 0, binary: false, patch: 'shown', patchBytes: expect.any(Number) },
      { path: 'many/file-0', status: 'added', additions: 1, deletions: 0, binary: false, patch: 'shown', patchBytes: expect.any(Number) },
    ]);
    expect(diff.patch).toContain('+++ b/many/file-0\n');
    const seen = [...diff.files];
    for (let cursor = diff.nextCursor; cursor !== null; ) {
      const page = await diffFiles(context, { ...session, cursor });
      if (page.act !== 'diff') throw new Error(page.act);
      seen.push(...page.diff.files);
      cursor = page.diff.nextCursor;
    }
    expect(new Set(seen.map(({ path }) => path)).size).toBe(1_505);
    expect(seen.at(-1)).toMatchObject({ path: 'z-small', patch: 'folded', patchBytes: null });
  });

  it('gives the patch of one file in parts that are the whole together', async () => {
    await agent("seq 60000 > lock; head -c 700000 /dev/zero | tr '\\0' x > line; echo 4 >> a.txt");
    for (const [path, lines] of [['lock', 60_000], ['line', 1], ['a.txt', 1]] as const) {
      let patch = '';
      for (let from: number | null = 0; from !== null; ) {
        const part = await filePatch(context, { ...session, path, from });
        if (part.act !== 'file-patch') throw new Error(part.act);
        expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(256 * 1024);
        patch += part.patch.patch;
        from = part.patch.next;
      }
      expect(parseUnifiedDiff(patch)).toEqual([expect.objectContaining({ path, additions: lines })]);
    }
    expect(await filePatch(context, { ...session, path: 'nowhere', from: 0 })).toMatchObject({ patch: { patch: '', next: null } });
    for (const path of ['../etc/passwd', '/etc/passwd']) expect(await refusalOf(filePatch(context, { ...session, path, from: 0 }))).toBe('VALIDATION_FAILED');
  });

  it('shows files whatever they are called', async () => {
    await agent(String.raw`for n in 'a"b' 'back\slash' "$(printf 'tab\tx')" "$(printf 'new\nline')" "$(printf 'bell\ax')" 日本語.md -rf ' lead'; do echo x > "./$n"; done`);
    const reply = await diffFiles(context, session);
    if (reply.act !== 'diff') throw new Error(reply.act);
    const patches = parseUnifiedDiff(reply.diff.patch).filter(({ additions }) => additions === 1);
    expect(patches.map(({ path }) => path).sort()).toEqual([' lead', '-rf', 'a"b', 'back\\slash', 'bell\u0007x', 'new\nline', 'tab\tx', '日本語.md'].sort());
    expect(reply.diff.files.filter(({ patch }) => patch !== 'shown')).toEqual([]);
  });

  it('tells what is committed from what is not', async () => {
    await agent('echo 4 >> a.txt; git commit -qam four; echo x > x; git add x; git commit -qm "the x"; echo 5 >> a.txt; mv x y');
    const commits = await listCommits(context, 0);
    expect(commits).toEqual({
      act: 'list-commits',
      commits: { total: 2, nextCursor: null, data: ['the x', 'four'].map((subject) => ({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), subject, author: { name: 'A', email: 'a@b' }, at: expect.stringMatching(/Z$/) })) },
    });
    if (commits.act !== 'list-commits') throw new Error(commits.act);
    const [second, first] = commits.commits.data.map(({ commit }) => commit);
    expect(await diffFiles(context, uncommitted)).toMatchObject({ diff: { head: second, files: [{ path: 'a.txt', additions: 1 }, { path: 'y', oldPath: 'x', status: 'renamed' }] } });
    expect(await diffFiles(context, { ...session, commit: first })).toMatchObject({ diff: { files: [{ path: 'a.txt', additions: 1 }], patch: expect.stringContaining('+4\n') } });
    expect(await diffFiles(context, { ...session, commit: second })).toMatchObject({ diff: { files: [{ path: 'x', status: 'added' }] } });
    await agent('git reset -q --soft HEAD~1');
    expect(await listCommits(context, 0)).toMatchObject({ commits: { total: 1 } });
    await agent('rm -rf .git');
    expect(await listCommits(context, 0)).toMatchObject({ commits: { total: 0, data: [] } });
    expect(await diffFiles(context, uncommitted)).toMatchObject({ diff: { head: null, files: [{ path: 'a.txt', additions: 2 }, { path: 'y' }] } });
  });

  it('names nested repositories, with or without a commit, and shows everything else', async () => {
    await agent('git init -q empty; echo e > empty/e; git init -q "born 1"; echo s > "born 1/s"; (cd "born 1" && git add -A && git commit -qm s); echo n > n');
    expect(await diffFiles(context, uncommitted)).toMatchObject({ diff: { files: [{ path: 'n' }], nested: ['born 1', 'empty'], totals: { files: 1 } } });
  });

  it('does not read a large new file', async () => {
    await agent('truncate -s 2000M large; echo s > small');
    expect(await diffFiles(context, session)).toMatchObject({ diff: { files: [{ path: 'small' }], skipped: [{ path: 'large', size: 2_000 * 1024 * 1024 }] } });
  });

  it('shows a link as a link and runs nothing that the repository configures', async () => {
    await agent('printf "#!/bin/sh\\ntouch $W/ran\\necho run\\n" > run.sh; chmod +x run.sh; for k in core.fsmonitor diff.external diff.x.command diff.x.textconv filter.x.clean; do git config $k $W/run.sh; done; echo "* diff=x filter=x" > .gitattributes; ln -s /etc/passwd out; echo 4 >> a.txt');
    expect(await diffFiles(context, session)).toMatchObject({ diff: { patch: expect.stringContaining('+/etc/passwd\n\\ No newline at end of file') } });
    expect(await agent('ls ran 2>/dev/null | wc -l')).toBe('0\n');
  });

  it('leaves the index to a turn that is using it', async () => {
    await agent('echo n > n; touch .git/index.lock');
    expect(await diffFiles(context, session)).toMatchObject({ diff: { files: [{ path: 'n' }] } });
    expect(await agent('git ls-files; rm .git/index.lock')).toBe('a.txt\ndir/b.txt\n');
  });
});

describeAsOrdinaryUser('committing', () => {
  const author = { name: 'Ada', email: 'ada@example.com' };

  it('commits everything that is not ignored, as the person who asked', async () => {
    await agent('echo log > x.log; echo "*.log" > .gitignore; echo 4 >> a.txt; rm dir/b.txt');
    const commit = await commitFiles(context, { message: 'Two things\n\n# not a comment\n-m "x"', author });
    expect(await agent('git log -1 --format="%H %an <%ae> %cn%n%B"; git show --stat --format= --name-status; git status --porcelain')).toBe(
      `${commit} Ada <ada@example.com> Ada\nTwo things\n\n# not a comment\n-m "x"\n\nA\t.gitignore\nM\ta.txt\nD\tdir/b.txt\n`,
    );
  });

  it('says that there is nothing to commit', async () => {
    await expect(commitFiles(context, { message: 'Nothing', author })).rejects.toMatchObject({ code: 45, reason: 'there is nothing to commit' });
  });

  it('commits the chosen files alone, and says whose they are', async () => {
    await agent('echo 4 >> a.txt; echo n > n; echo o > "o \\"1"; rm dir/b.txt; echo staged > staged; git add staged');
    await commitFiles(context, { message: 'Chosen', author, paths: ['n', 'o "1', 'dir/b.txt'] });
    expect(await agent('git show --format=%an --name-status; git status --porcelain')).toBe('Ada\n\nD\tdir/b.txt\nA\tn\nA\t"o \\"1"\n M a.txt\nA  staged\n');
    await expect(commitFiles(context, { message: 'x', author, paths: ['nowhere'] })).rejects.toMatchObject({ code: 45, reason: expect.stringContaining("pathspec 'nowhere' did not match any files") });
    expect(await refusalOf(commitFiles(context, { message: 'x', author, paths: ['../x'] }))).toBe('VALIDATION_FAILED');
  });

  it('is not stopped by nested repositories', async () => {
    await agent('git init -q empty; echo e > empty/e; git init -q born; echo s > born/s; (cd born && git add -A && git commit -qm s); echo n > n');
    await commitFiles(context, { message: 'All but them', author });
    expect(await agent('git show --format= --name-only; ls empty born')).toBe('n\nborn:\ns\n\nempty:\ne\n');
  });

  it('counts the files while it takes them', async () => {
    await agent('mkdir many; cd many; seq 500 | xargs touch');
    const heard: number[] = [];
    await commitFiles(context, { message: 'Many', author }, (files) => heard.push(files));
    expect(heard.at(-1)).toBeGreaterThanOrEqual(500);
  });

  it('shows git’s own words when git refuses', async () => {
    await agent('echo 4 >> a.txt; touch .git/index.lock');
    await expect(commitFiles(context, { message: 'x', author })).rejects.toMatchObject({ code: 45, reason: expect.stringMatching(/^git could not add the files: fatal: Unable to create '\.git\/index\.lock': File exists/) });
  });

  it('runs no hook', async () => {
    await agent('mkdir -p .git/hooks; for h in pre-commit commit-msg post-commit prepare-commit-msg; do printf "#!/bin/sh\\ntouch $W/ran\\nexit 1\\n" > .git/hooks/$h; chmod +x .git/hooks/$h; done; git config core.hooksPath .git/hooks; echo 4 >> a.txt');
    await commitFiles(context, { message: 'Past the hooks', author });
    expect(await agent('ls ran 2>/dev/null | wc -l')).toBe('0\n');
  });

  it('is refused while a process of a turn holds the workspace', async () => {
    const { workspace, objects, lockFile } = context.workspace;
    const turn = lab.sandbox.spawn({ profile: 'workspace', paths: { workspace, objects, lockFile }, command: ['/bin/sh', '-c', 'echo up; exec sleep 60'] });
    try {
      await new Promise((resolve) => turn.stdout.once('data', resolve));
      await agent('echo 4 >> a.txt');
      expect(await refusalOf(commitFiles(context, { message: 'Meanwhile', author }))).toBe('TURN_IN_PROGRESS');
      expect(await listFiles(context, '')).toMatchObject({ list: { total: 2 } });
    } finally {
      turn.killTree();
      await turn.exited;
    }
    await expect(commitFiles(context, { message: 'Afterwards', author })).resolves.toMatch(/^[0-9a-f]{40}$/);
  });

  it.each([
    ['an unfinished merge', 'git checkout -qb l; echo l > a.txt; git commit -qam l; git checkout -qb r HEAD^; echo r > a.txt; git commit -qam r; git merge l > /dev/null || true', 'a merge is not finished'],
    ['a workspace without a repository', 'rm -rf .git', 'the workspace has no git repository any more'],
  ])('says what stands in the way: %s', async (_what, script, reason) => {
    await agent(script);
    await expect(commitFiles(context, { message: 'x', author })).rejects.toMatchObject({ code: 45, reason });
  });
});
