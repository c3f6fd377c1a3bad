import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { refusalOf, useOperationFixture, type OperationFixture } from '../../../test/operation-fixture';
import type { ActContext } from '../act/act-context';
import { commitFiles } from '../history/commit-files';
import { diffFiles } from '../history/diff-files';
import { listCommits } from '../history/list-commits';
import { mergeBase, readBase, undoBase, type ProjectBase } from './session-base';

jest.setTimeout(60_000);

let fixture: OperationFixture;
let context: ActContext;
useOperationFixture((made, session) => ([fixture, context] = [made, session]));

const ADA = { name: 'Ada', email: 'ada@example.com' };
const agent = (text: string) => fixture.agent(context, text);

/** The project as after a refresh that brought one commit, by which its repository has the objects. */
async function projectWith(change: string): Promise<ProjectBase> {
  const { objects, baseCommit } = context.workspace;
  const text = `
export GIT_DIR="$W" GIT_INDEX_FILE=/tmp/index GIT_WORK_TREE=/tmp/tree GIT_AUTHOR_NAME=B GIT_AUTHOR_EMAIL=b@c GIT_COMMITTER_NAME=B GIT_COMMITTER_EMAIL=b@c
mkdir /tmp/tree; git read-tree ${baseCommit}; git checkout-index -a --prefix=/tmp/tree/; cd /tmp/tree
${change}
git add -A; git commit-tree "$(git write-tree)" -p ${baseCommit} -m Upstream`;
  const script = { text, mounts: { workspace: `${objects}/..` }, timeoutMs: 10_000, maxOutputBytes: 1_000 };
  const commit = (await fixture.files.scripts.run(script)).stdout.toString('utf8').trim();
  context.workspace.projectCommit = commit;
  return { branch: 'main', baseCommit: commit };
}
const state = () => agent('cat a.txt; echo --; cat dir/b.txt; echo --; git status --porcelain');

describeAsOrdinaryUser('bringing the project’s base into a session', () => {
  it('says how far behind a session is, and moves it along where it has no commits', async () => {
    const project = await projectWith('echo b2 >> dir/b.txt');
    expect(await readBase(context, project)).toEqual({
      commit: context.workspace.baseCommit,
      projectCommit: project.baseCommit,
      branch: 'main',
      behind: 1,
      ahead: 0,
      isMerging: false,
      conflicts: [],
      mayUndo: false,
    });
    expect(await mergeBase(context, project, ADA)).toBe('merged');
    expect(await mergeBase(context, project, ADA)).toBe('up_to_date');
    expect(await readBase(context, project)).toMatchObject({ commit: project.baseCommit, behind: 0, mayUndo: true });
    expect(await undoBase(context, ADA)).toBe(context.workspace.baseCommit);
    expect(await readBase(context, project)).toMatchObject({ behind: 1, mayUndo: false });
  });

  it('merges as the person who asked, keeps what is not committed, and shows what is the session’s own alone', async () => {
    await agent('echo mine > mine.txt');
    await commitFiles(context, { message: 'Mine', author: ADA });
    await agent('echo draft >> a.txt; echo new > new.txt');
    const project = await projectWith('echo b2 >> dir/b.txt');
    expect(await mergeBase(context, project, ADA)).toBe('merged');
    expect(await agent('git log -1 --format="%an <%ae> %cn %s"')).toMatch(
      /^Ada <ada@example.com> Ada Bring in main \(\w{10}\)\n$/,
    );
    expect(await state()).toBe('1\n2\n3\ndraft\n--\nb\nb2\n--\n M a.txt\n?? new.txt\n');
    expect(await diffFiles(context, { scope: 'session' })).toMatchObject({
      diff: { base: project.baseCommit, files: [{ path: 'a.txt' }, { path: 'mine.txt' }, { path: 'new.txt' }] },
    });
    expect(await listCommits(context, 0)).toMatchObject({ commits: { total: 2 } });
    await undoBase(context, ADA);
    expect(await state()).toBe('1\n2\n3\ndraft\n--\nb\n--\n M a.txt\n?? new.txt\n');
    expect(await listCommits(context, 0)).toMatchObject({ commits: { total: 1 } });
  });

  it('overwrites nothing that is not committed, and names it', async () => {
    await agent('echo draft >> a.txt; echo new > new.txt');
    const project = await projectWith('echo theirs >> a.txt; echo theirs > new.txt');
    await expect(mergeBase(context, project, ADA)).rejects.toMatchObject({
      code: 'GIT_CONFLICT',
      detail: expect.stringMatching(/uncommitted changes here: .*a\.txt.*Commit them first/) as string,
    });
    expect(await state()).toBe('1\n2\n3\ndraft\n--\nb\n--\n M a.txt\n?? new.txt\n');
  });

  it('leaves an earlier merge undoable when a later one was refused', async () => {
    await mergeBase(context, await projectWith('echo b2 >> dir/b.txt'), ADA);
    await agent('echo draft >> a.txt');
    const later = await projectWith('echo theirs >> a.txt');
    expect(await refusalOf(mergeBase(context, later, ADA))).toBe('GIT_CONFLICT');
    expect(await agent('git for-each-ref --format="%(refname)" refs/chirality/base')).not.toContain('next');
    expect(await undoBase(context, ADA)).toBe(context.workspace.baseCommit);
    expect(await state()).toBe('1\n2\n3\ndraft\n--\nb\n--\n M a.txt\n');
  });

  const conflict = async () => {
    await agent(`printf 'mine\n2\n3\n' > a.txt; mkdir -p 中; echo mine > 中/文.txt`);
    await commitFiles(context, { message: 'Mine', author: ADA });
    await agent('echo draft > draft.txt; echo "of mine" >> dir/b.txt');
    return projectWith(`printf 'theirs\n2\n3\n' > a.txt; mkdir 中; echo theirs > 中/文.txt; echo t > theirs.txt`);
  };

  it('lists the conflicts by file, and undoes all of it: what was not committed, and what the merge added', async () => {
    const project = await conflict();
    expect(await mergeBase(context, project, ADA)).toBe('conflicts');
    expect(await readBase(context, project)).toMatchObject({
      isMerging: true,
      behind: 1,
      conflicts: ['a.txt', '中/文.txt'],
      mayUndo: true,
    });
    expect(await refusalOf(mergeBase(context, project, ADA))).toBe(45);
    // A person began to resolve it, and git now has all of that in its index.
    await agent('echo half > a.txt; echo since > since.txt; git add -A');
    await undoBase(context, ADA);
    expect(await state()).toBe('mine\n2\n3\n--\nb\nof mine\n--\n M dir/b.txt\n?? draft.txt\n');
    expect(
      await agent(
        'cat 中/文.txt draft.txt; ls; git show refs/chirality/base/undone:since.txt; ls .git/MERGE_HEAD 2>&1 || :',
      ),
    ).toMatch(/^mine\ndraft\na\.txt\ndir\ndraft\.txt\n中\nsince\nls: cannot access/);
    expect(await readBase(context, project)).toMatchObject({
      isMerging: false,
      conflicts: [],
      behind: 1,
      mayUndo: false,
    });
    expect(await refusalOf(undoBase(context, ADA))).toBe(45);
  });

  it('is finished by a commit that resolves it', async () => {
    const project = await conflict();
    await mergeBase(context, project, ADA);
    await agent('echo both > a.txt; echo both > 中/文.txt; git add -A a.txt 中; git commit -q --no-edit');
    expect(await readBase(context, project)).toMatchObject({
      isMerging: false,
      behind: 0,
      conflicts: [],
      mayUndo: false,
    });
    expect(await diffFiles(context, { scope: 'session' })).toMatchObject({ diff: { base: project.baseCommit } });
  });

  it('runs nothing that the repository or the agent configured to run', async () => {
    const project = await projectWith('echo b2 >> dir/b.txt');
    await agent(
      'for hook in pre-merge-commit commit-msg post-merge post-checkout pre-commit; do printf "#!/bin/sh\\ntouch $W/ran\\n" > .git/hooks-$hook; done; mkdir -p .git/hooks; for h in pre-merge-commit commit-msg post-merge post-checkout; do cp .git/hooks-commit-msg .git/hooks/$h; chmod +x .git/hooks/$h; done; git config core.fsmonitor "touch $W/ran; false"; git config core.hooksPath .git/hooks; git config core.editor "touch $W/ran"',
    );
    await agent('echo mine > mine.txt');
    await commitFiles(context, { message: 'Mine', author: ADA });
    await mergeBase(context, project, ADA);
    await readBase(context, project);
    await undoBase(context, ADA);
    expect(await agent('ls')).not.toContain('ran');
  });

  it('is repeated or undone where a merge was killed in the middle', async () => {
    const project = await conflict();
    await agent('touch .git/index.lock .git/HEAD.lock');
    expect(await mergeBase(context, project, ADA)).toBe('conflicts');
    await agent('touch .git/index.lock');
    await undoBase(context, ADA);
    expect(await state()).toBe('mine\n2\n3\n--\nb\nof mine\n--\n M dir/b.txt\n?? draft.txt\n');
    expect(await mergeBase(context, project, ADA)).toBe('conflicts');
    // As it is where the worker was killed before it knew the outcome: what can be undone is still of an earlier merge.
    await agent(
      'git update-ref refs/chirality/base/next refs/chirality/base/before; git update-ref refs/chirality/base/before HEAD~1',
    );
    await undoBase(context, ADA);
    expect(await state()).toBe('mine\n2\n3\n--\nb\nof mine\n--\n M dir/b.txt\n?? draft.txt\n');
    expect(await agent('git for-each-ref --format="%(refname)" refs/chirality/base')).toBe(
      'refs/chirality/base/undone\n',
    );
  });
});
