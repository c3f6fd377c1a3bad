import { parseUnifiedDiff } from '@chirality/domain';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { refusalOf, useOperationFixture, type OperationFixture } from '../../../test/operation-fixture';
import type { ActContext } from '../act/act-context';
import { diffFiles } from './diff-files';
import { filePatch } from './file-patch';
import { listCommits } from './list-commits';

jest.setTimeout(60_000);

let fixture: OperationFixture;
let context: ActContext;
useOperationFixture((made, session) => ([fixture, context] = [made, session]));

const agent = (text: string) => fixture.agent(context, text);
const session = { scope: 'session' } as const;
const uncommitted = { scope: 'uncommitted' } as const;

describeAsOrdinaryUser('the diff', () => {
  it('is empty for a fresh session', async () => {
    expect(await diffFiles(context, session)).toEqual({
      act: 'diff',
      diff: {
        base: context.workspace.baseCommit,
        head: context.workspace.baseCommit,
        branch: 'chirality/s',
        files: [],
        nextCursor: null,
        totals: { files: 0, additions: 0, deletions: 0, atLeast: false },
        patch: '',
        truncated: false,
        nested: [],
        skipped: [],
      },
    });
  });

  it('compares with where the session began: commits, edits, new and deleted files alike', async () => {
    await agent(
      'echo 4 >> a.txt; git commit -qam four; echo 5 >> a.txt; rm dir/b.txt; mkdir n; echo new > n/new.txt; git checkout -q -b elsewhere',
    );
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
      expect(await diffFiles(context, { ...session, base })).toMatchObject({
        diff: { files: [{ path: 'a.txt', additions: 1 }], base: expect.stringMatching(/^[0-9a-f]{40}$/) },
      });
    }
    expect(await diffFiles(context, { ...session, base: 'HEAD~1' })).toMatchObject({
      diff: { files: [{ path: 'a.txt', additions: 2 }], base: context.workspace.baseCommit },
    });
    expect(await refusalOf(diffFiles(context, { ...session, base: 'nowhere' }))).toBe(44);
    for (const base of ['--output=x', '-p', 'a b', '', 'a:b', 'a\nb', '@'])
      expect(await refusalOf(diffFiles(context, { ...session, base }))).toBe('VALIDATION_FAILED');
  });

  it('works without the repository of the session', async () => {
    await agent('rm -rf .git; echo new > new.txt');
    expect(await diffFiles(context, session)).toMatchObject({
      diff: { files: [{ path: 'new.txt', status: 'added' }] },
    });
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
      {
        path: 'a-lock.json',
        status: 'added',
        additions: 60_000,
        deletions: 0,
        binary: false,
        patch: 'folded',
        patchBytes: expect.any(Number),
      },
      {
        path: 'b-line',
        status: 'added',
        additions: 1,
        deletions: 0,
        binary: false,
        patch: 'folded',
        patchBytes: expect.any(Number),
      },
      {
        path: 'c-binary',
        status: 'added',
        additions: 0,
        deletions: 0,
        binary: true,
        patch: 'shown',
        patchBytes: expect.any(Number),
      },
      {
        path: 'd-empty',
        status: 'added',
        additions: 0,
        deletions: 0,
        binary: false,
        patch: 'shown',
        patchBytes: expect.any(Number),
      },
      {
        path: 'many/file-0',
        status: 'added',
        additions: 1,
        deletions: 0,
        binary: false,
        patch: 'shown',
        patchBytes: expect.any(Number),
      },
    ]);
    expect(diff.patch).toContain('+++ b/many/file-0\n');
    const seen = [...diff.files];
    for (let cursor = diff.nextCursor; cursor !== null;) {
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
    for (const [path, lines] of [
      ['lock', 60_000],
      ['line', 1],
      ['a.txt', 1],
    ] as const) {
      let patch = '';
      for (let from: number | null = 0; from !== null;) {
        const part = await filePatch(context, { ...session, path, from });
        if (part.act !== 'file-patch') throw new Error(part.act);
        expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(256 * 1024);
        patch += part.patch.patch;
        from = part.patch.next;
      }
      expect(parseUnifiedDiff(patch)).toEqual([expect.objectContaining({ path, additions: lines })]);
    }
    expect(await filePatch(context, { ...session, path: 'nowhere', from: 0 })).toMatchObject({
      patch: { patch: '', next: null },
    });
    for (const path of ['../etc/passwd', '/etc/passwd'])
      expect(await refusalOf(filePatch(context, { ...session, path, from: 0 }))).toBe('VALIDATION_FAILED');
  });

  it('shows files whatever they are called', async () => {
    await agent(
      String.raw`for n in 'a"b' 'back\slash' "$(printf 'tab\tx')" "$(printf 'new\nline')" "$(printf 'bell\ax')" 日本語.md -rf ' lead'; do echo x > "./$n"; done`,
    );
    const reply = await diffFiles(context, session);
    if (reply.act !== 'diff') throw new Error(reply.act);
    const patches = parseUnifiedDiff(reply.diff.patch).filter(({ additions }) => additions === 1);
    expect(patches.map(({ path }) => path).sort()).toEqual(
      [' lead', '-rf', 'a"b', 'back\\slash', 'bell\u0007x', 'new\nline', 'tab\tx', '日本語.md'].sort(),
    );
    expect(reply.diff.files.filter(({ patch }) => patch !== 'shown')).toEqual([]);
  });

  it('tells what is committed from what is not', async () => {
    await agent(
      'echo 4 >> a.txt; git commit -qam four; echo x > x; git add x; git commit -qm "the x"; echo 5 >> a.txt; mv x y',
    );
    const commits = await listCommits(context, 0);
    expect(commits).toEqual({
      act: 'list-commits',
      commits: {
        total: 2,
        nextCursor: null,
        data: ['the x', 'four'].map((subject) => ({
          commit: expect.stringMatching(/^[0-9a-f]{40}$/),
          subject,
          author: { name: 'A', email: 'a@b' },
          at: expect.stringMatching(/Z$/),
        })),
      },
    });
    if (commits.act !== 'list-commits') throw new Error(commits.act);
    const [second, first] = commits.commits.data.map(({ commit }) => commit);
    expect(await diffFiles(context, uncommitted)).toMatchObject({
      diff: {
        head: second,
        files: [
          { path: 'a.txt', additions: 1 },
          { path: 'y', oldPath: 'x', status: 'renamed' },
        ],
      },
    });
    expect(await diffFiles(context, { ...session, commit: first })).toMatchObject({
      diff: { files: [{ path: 'a.txt', additions: 1 }], patch: expect.stringContaining('+4\n') },
    });
    expect(await diffFiles(context, { ...session, commit: second })).toMatchObject({
      diff: { files: [{ path: 'x', status: 'added' }] },
    });
    await agent('git reset -q --soft HEAD~1');
    expect(await listCommits(context, 0)).toMatchObject({ commits: { total: 1 } });
    await agent('rm -rf .git');
    expect(await listCommits(context, 0)).toMatchObject({ commits: { total: 0, data: [] } });
    expect(await diffFiles(context, uncommitted)).toMatchObject({
      diff: { head: null, files: [{ path: 'a.txt', additions: 2 }, { path: 'y' }] },
    });
  });

  it('names nested repositories, with or without a commit, and shows everything else', async () => {
    await agent(
      'git init -q empty; echo e > empty/e; git init -q "born 1"; echo s > "born 1/s"; (cd "born 1" && git add -A && git commit -qm s); echo n > n',
    );
    expect(await diffFiles(context, uncommitted)).toMatchObject({
      diff: { files: [{ path: 'n' }], nested: ['born 1', 'empty'], totals: { files: 1 } },
    });
  });

  it('does not read a large new file', async () => {
    await agent('truncate -s 2000M large; echo s > small');
    expect(await diffFiles(context, session)).toMatchObject({
      diff: { files: [{ path: 'small' }], skipped: [{ path: 'large', size: 2_000 * 1024 * 1024 }] },
    });
  });

  it('shows a link as a link and runs nothing that the repository configures', async () => {
    await agent(
      'printf "#!/bin/sh\\ntouch $W/ran\\necho run\\n" > run.sh; chmod +x run.sh; for k in core.fsmonitor diff.external diff.x.command diff.x.textconv filter.x.clean; do git config $k $W/run.sh; done; echo "* diff=x filter=x" > .gitattributes; ln -s /etc/passwd out; echo 4 >> a.txt',
    );
    expect(await diffFiles(context, session)).toMatchObject({
      diff: { patch: expect.stringContaining('+/etc/passwd\n\\ No newline at end of file') },
    });
    expect(await agent('ls ran 2>/dev/null | wc -l')).toBe('0\n');
  });

  it('leaves the index to a turn that is using it', async () => {
    await agent('echo n > n; touch .git/index.lock');
    expect(await diffFiles(context, session)).toMatchObject({ diff: { files: [{ path: 'n' }] } });
    expect(await agent('git ls-files; rm .git/index.lock')).toBe('a.txt\ndir/b.txt\n');
  });
});
