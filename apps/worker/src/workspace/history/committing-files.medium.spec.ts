import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { refusalOf, useOperationFixture, type OperationFixture } from '../../../test/operation-fixture';
import type { ActContext } from '../act/act-context';
import { commitFiles } from './commit-files';
import { listFiles } from '../browse/list-files';

jest.setTimeout(60_000);

let fixture: OperationFixture;
let context: ActContext;
useOperationFixture((made, session) => ([fixture, context] = [made, session]));

const agent = (text: string) => fixture.agent(context, text);

describeAsOrdinaryUser('committing', () => {
  const author = { name: 'Ada', email: 'ada@example.com' };

  it('commits everything that is not ignored, as the person who asked', async () => {
    await agent('echo log > x.log; echo "*.log" > .gitignore; echo 4 >> a.txt; rm dir/b.txt');
    const commit = await commitFiles(context, { message: 'Two things\n\n# not a comment\n-m "x"', author });
    expect(
      await agent(
        'git log -1 --format="%H %an <%ae> %cn%n%B"; git show --stat --format= --name-status; git status --porcelain',
      ),
    ).toBe(
      `${commit} Ada <ada@example.com> Ada\nTwo things\n\n# not a comment\n-m "x"\n\nA\t.gitignore\nM\ta.txt\nD\tdir/b.txt\n`,
    );
  });

  it('says that there is nothing to commit', async () => {
    await expect(commitFiles(context, { message: 'Nothing', author })).rejects.toMatchObject({
      code: 45,
      reason: 'there is nothing to commit',
    });
  });

  it('commits the chosen files alone, and says whose they are', async () => {
    await agent('echo 4 >> a.txt; echo n > n; echo o > "o \\"1"; rm dir/b.txt; echo staged > staged; git add staged');
    await commitFiles(context, { message: 'Chosen', author, paths: ['n', 'o "1', 'dir/b.txt'] });
    expect(await agent('git show --format=%an --name-status; git status --porcelain')).toBe(
      'Ada\n\nD\tdir/b.txt\nA\tn\nA\t"o \\"1"\n M a.txt\nA  staged\n',
    );
    await expect(commitFiles(context, { message: 'x', author, paths: ['nowhere'] })).rejects.toMatchObject({
      code: 49,
      reason: expect.stringContaining("pathspec 'nowhere' did not match any files"),
    });
    expect(await refusalOf(commitFiles(context, { message: 'x', author, paths: ['../x'] }))).toBe('VALIDATION_FAILED');
  });

  it('is not stopped by nested repositories', async () => {
    await agent(
      'git init -q empty; echo e > empty/e; git init -q born; echo s > born/s; (cd born && git add -A && git commit -qm s); echo n > n',
    );
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
    await agent('echo 4 >> a.txt; mkdir .git/index.lock');
    await expect(commitFiles(context, { message: 'x', author })).rejects.toMatchObject({
      code: 49,
      reason: expect.stringMatching(
        /^git could not add the files: fatal: Unable to create '\.git\/index\.lock': File exists/,
      ),
    });
  });

  it('is not stopped by the locks of a git that was killed', async () => {
    await agent('echo 4 >> a.txt; touch .git/index.lock .git/HEAD.lock package.lock');
    await commitFiles(context, { message: 'Past the locks', author });
    expect(await agent('git show --format= --name-only; find .git -name "*.lock"')).toBe('a.txt\npackage.lock\n');
  });

  it('leaves no lock when its time is up', async () => {
    // The filter holds git where the index is locked.
    await agent('git config filter.slow.clean "sleep 600"; echo "a.txt filter=slow" > .gitattributes; echo 4 >> a.txt');
    await expect(commitFiles({ ...context, timeoutMs: 2_000 }, { message: 'Slow', author })).rejects.toMatchObject({
      code: 'WORKSPACE_UNAVAILABLE',
      detail: expect.stringContaining('The commit was not finished in time'),
    });
    await agent('git config --unset filter.slow.clean');
    expect(await agent('find .git -name "*.lock"; git add -A && echo added')).toBe('added\n');
  });

  it('runs no hook', async () => {
    await agent(
      'mkdir -p .git/hooks; for h in pre-commit commit-msg post-commit prepare-commit-msg; do printf "#!/bin/sh\\ntouch $W/ran\\nexit 1\\n" > .git/hooks/$h; chmod +x .git/hooks/$h; done; git config core.hooksPath .git/hooks; echo 4 >> a.txt',
    );
    await commitFiles(context, { message: 'Past the hooks', author });
    expect(await agent('ls ran 2>/dev/null | wc -l')).toBe('0\n');
  });

  it('is refused while a process of a turn holds the workspace', async () => {
    const { workspace, objects, lockFile } = context.workspace;
    const turn = fixture.files.sandbox.spawn({
      profile: 'workspace',
      paths: { workspace, objects, lockFile },
      command: ['/bin/sh', '-c', 'echo up; exec sleep 60'],
    });
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
    [
      'an unfinished merge',
      'git checkout -qb l; echo l > a.txt; git commit -qam l; git checkout -qb r HEAD^; echo r > a.txt; git commit -qam r; git merge l > /dev/null || true',
      'a merge is not finished',
    ],
    ['a workspace without a repository', 'rm -rf .git', 'the workspace no longer has a git repository'],
  ])('says what stands in the way: %s', async (_what, script, reason) => {
    await agent(script);
    await expect(commitFiles(context, { message: 'x', author })).rejects.toMatchObject({ code: 45, reason });
  });
});
