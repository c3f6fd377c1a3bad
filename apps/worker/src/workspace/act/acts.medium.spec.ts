import { mkdir, writeFile } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { WorkspaceMaker } from '../session/workspace-maker';
import { buildProjectRecord, WorkspaceLab } from '../testing/workspace-lab';
import type { ActContext } from './act-context';
import { commitFiles } from './commit-files';
import { diffFiles } from './diff-files';
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
      entries: [
        { path: '.hidden', kind: 'directory', size: 0 },
        { path: 'Z', kind: 'file', size: 1 },
        { path: 'a.txt', kind: 'file', size: 6 },
        { path: 'dir', kind: 'directory', size: 0 },
        { path: 'link', kind: 'symlink', size: 0 },
        { path: 'nested', kind: 'directory', size: 0 },
        { path: 'new\nline', kind: 'directory', size: 0 },
        { path: 'pipe', kind: 'other', size: 0 },
        { path: 'z 1', kind: 'file', size: 5 },
      ],
      truncated: false,
    });
    expect(await listFiles(context, 'nested')).toMatchObject({ entries: [] });
  });

  it('names files by their path in the workspace', async () => {
    expect(await listFiles(context, './dir/')).toMatchObject({ entries: [{ path: 'dir/b.txt', kind: 'file', size: 2 }] });
  });

  it('bounds a large directory', async () => {
    await agent('mkdir many; cd many; seq 3000 | xargs touch');
    const reply = await listFiles(context, 'many');
    expect(reply).toMatchObject({ entries: { length: 2_000 }, truncated: true });
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(256 * 1024);
  });

  it('follows a link within the workspace and none that leads out', async () => {
    await agent('ln -s dir in; ln -s / root; ln -s /workspace/dir absolute; ln -s ../.. up; ln -s nowhere dangling; ln -s .git repo; ln -s . self');
    expect(await listFiles(context, 'in')).toMatchObject({ entries: [{ path: 'in/b.txt' }] });
    expect(await listFiles(context, 'absolute')).toMatchObject({ entries: [{ path: 'absolute/b.txt' }] });
    expect(await listFiles(context, 'self/self/dir')).toMatchObject({ entries: [{ path: 'self/self/dir/b.txt' }] });
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
    expect(await diffFiles(context, undefined)).toEqual({ act: 'diff', diff: { base: context.workspace.baseCommit, files: [], patch: '', truncated: false } });
  });

  it('compares with where the session began: commits, edits, new and deleted files alike', async () => {
    await agent('echo 4 >> a.txt; git commit -qam four; echo 5 >> a.txt; rm dir/b.txt; mkdir n; echo new > n/new.txt; git checkout -q -b elsewhere');
    const reply = await diffFiles(context, undefined);
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
      expect(await diffFiles(context, base)).toMatchObject({ diff: { files: [{ path: 'a.txt', additions: 1 }], base: expect.stringMatching(/^[0-9a-f]{40}$/) } });
    }
    expect(await diffFiles(context, 'HEAD~1')).toMatchObject({ diff: { files: [{ path: 'a.txt', additions: 2 }], base: context.workspace.baseCommit } });
    expect(await refusalOf(diffFiles(context, 'nowhere'))).toBe(44);
    for (const base of ['--output=x', '-p', 'a b', '', 'a:b', 'a\nb', '@']) expect(await refusalOf(diffFiles(context, base))).toBe('VALIDATION_FAILED');
  });

  it('works without the repository of the session', async () => {
    await agent('rm -rf .git; echo new > new.txt');
    expect(await diffFiles(context, undefined)).toMatchObject({ diff: { files: [{ path: 'new.txt', status: 'added' }] } });
  });

  it('stays within a reply, list before patch', async () => {
    await agent('mkdir many; i=0; while [ $i -lt 1500 ]; do echo $i > many/file-with-a-name-$i; i=$((i+1)); done; seq 200000 > long.txt');
    const reply = await diffFiles(context, undefined);
    expect(reply).toMatchObject({ diff: { files: { length: 1_000 }, truncated: true } });
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(256 * 1024);
  });

  it('does not read a large new file', async () => {
    await agent('truncate -s 2000M large; echo s > small');
    expect(await diffFiles(context, undefined)).toMatchObject({ diff: { files: [{ path: 'small' }] } });
  });

  it('shows a link as a link and runs nothing that the repository configures', async () => {
    await agent('printf "#!/bin/sh\\ntouch $W/ran\\necho run\\n" > run.sh; chmod +x run.sh; for k in core.fsmonitor diff.external diff.x.command diff.x.textconv filter.x.clean; do git config $k $W/run.sh; done; echo "* diff=x filter=x" > .gitattributes; ln -s /etc/passwd out; echo 4 >> a.txt');
    expect(await diffFiles(context, undefined)).toMatchObject({ diff: { patch: expect.stringContaining('+/etc/passwd\n\\ No newline at end of file') } });
    expect(await agent('ls ran 2>/dev/null | wc -l')).toBe('0\n');
  });

  it('leaves the index to a turn that is using it', async () => {
    await agent('echo n > n; touch .git/index.lock');
    expect(await diffFiles(context, undefined)).toMatchObject({ diff: { files: [{ path: 'n' }] } });
    expect(await agent('git ls-files; rm .git/index.lock')).toBe('a.txt\ndir/b.txt\n');
  });
});

describeAsOrdinaryUser('committing', () => {
  const author = { name: 'Ada', email: 'ada@example.com' };

  it('commits everything that is not ignored, as the person who asked', async () => {
    await agent('echo log > x.log; echo "*.log" > .gitignore; echo 4 >> a.txt; rm dir/b.txt');
    const commit = await commitFiles(context, 'Two things\n\n# not a comment\n-m "x"', author);
    expect(await agent('git log -1 --format="%H %an <%ae> %cn%n%B"; git show --stat --format= --name-status; git status --porcelain')).toBe(
      `${commit} Ada <ada@example.com> Ada\nTwo things\n\n# not a comment\n-m "x"\n\nA\t.gitignore\nM\ta.txt\nD\tdir/b.txt\n`,
    );
  });

  it('says that there is nothing to commit', async () => {
    await expect(commitFiles(context, 'Nothing', author)).rejects.toMatchObject({ code: 45, reason: 'there is nothing to commit' });
  });

  it('runs no hook', async () => {
    await agent('mkdir -p .git/hooks; for h in pre-commit commit-msg post-commit prepare-commit-msg; do printf "#!/bin/sh\\ntouch $W/ran\\nexit 1\\n" > .git/hooks/$h; chmod +x .git/hooks/$h; done; git config core.hooksPath .git/hooks; echo 4 >> a.txt');
    await commitFiles(context, 'Past the hooks', author);
    expect(await agent('ls ran 2>/dev/null | wc -l')).toBe('0\n');
  });

  it('is refused while a process of a turn holds the workspace', async () => {
    const { workspace, objects, lockFile } = context.workspace;
    const turn = lab.sandbox.spawn({ profile: 'workspace', paths: { workspace, objects, lockFile }, command: ['/bin/sh', '-c', 'echo up; exec sleep 60'] });
    try {
      await new Promise((resolve) => turn.stdout.once('data', resolve));
      await agent('echo 4 >> a.txt');
      expect(await refusalOf(commitFiles(context, 'Meanwhile', author))).toBe('TURN_IN_PROGRESS');
      expect(await listFiles(context, '')).toMatchObject({ entries: { length: 2 } });
    } finally {
      turn.killTree();
      await turn.exited;
    }
    await expect(commitFiles(context, 'Afterwards', author)).resolves.toMatch(/^[0-9a-f]{40}$/);
  });

  it.each([
    ['an unfinished merge', 'git checkout -qb l; echo l > a.txt; git commit -qam l; git checkout -qb r HEAD^; echo r > a.txt; git commit -qam r; git merge l > /dev/null || true', 'a merge is not finished'],
    ['a workspace without a repository', 'rm -rf .git', 'the workspace has no git repository any more'],
  ])('says what stands in the way: %s', async (_what, script, reason) => {
    await agent(script);
    await expect(commitFiles(context, 'x', author)).rejects.toMatchObject({ code: 45, reason });
  });
});
