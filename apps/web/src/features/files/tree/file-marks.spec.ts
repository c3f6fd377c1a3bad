import type { WorkspaceDiff } from '@chirality/contracts';
import { FileMarks } from './file-marks';

type Page = ConstructorParameters<typeof FileMarks>[0][number];

function file(status: string, path: string, oldPath?: string): WorkspaceDiff['files'][number] {
  return { path, oldPath, status, additions: 1, deletions: 0, binary: false, patch: 'shown', patchBytes: 10 };
}

function page(files: WorkspaceDiff['files'], more: Partial<Page> = {}): Page {
  const totals = { files: files.length, additions: 0, deletions: 0, atLeast: false };
  return { files, nextCursor: null, totals, nested: [], skipped: [], ...more };
}

describe('the marks of a tree of files', () => {
  it('say how each file differs', () => {
    const marks = new FileMarks([
      page([
        file('added', 'new.ts'),
        file('copied', 'copy.ts', 'a.ts'),
        file('modified', 'src/a.ts'),
        file('type_changed', 'link'),
        file('renamed', 'src/to.ts', 'lib/from.ts'),
        file('deleted', 'old.ts'),
        file('unmerged', 'both.ts'),
        file('modified', 'both.ts'),
      ]),
    ]);
    const markOf = (path: string) => marks.of(path)?.mark;
    expect(['new.ts', 'copy.ts', 'src/a.ts', 'link', 'src/to.ts', 'old.ts', 'both.ts', 'same.ts'].map(markOf)).toEqual([
      'added',
      'added',
      'modified',
      'modified',
      'renamed',
      'deleted',
      'conflict',
      undefined,
    ]);
    expect(marks.of('src/to.ts')?.oldPath).toBe('lib/from.ts');
  });

  it('say of every folder above that something below is different, also where a file was moved away', () => {
    const marks = new FileMarks([
      page([file('modified', 'src/deep/a.ts'), file('deleted', 'docs/b.md'), file('renamed', 'c.ts', 'lib/c.ts')]),
    ]);
    const folders = ['src', 'src/deep', 'docs', 'lib', 'sr', 'src/de', 'test'];
    expect(folders.filter((folder) => marks.hasChangesBelow(folder))).toEqual(['src', 'src/deep', 'docs', 'lib']);
  });

  it('know new files that are too large to compare, and folders whose files are not compared', () => {
    const marks = new FileMarks([page([], { skipped: [{ path: 'data/large.bin', size: 1 }], nested: ['vendor/own'] })]);
    expect([marks.of('data/large.bin')?.mark, marks.hasChangesBelow('data')]).toEqual(['added', true]);
    const isNotCompared = (path: string) => marks.isNotCompared(path);
    expect(['vendor/own', 'vendor/own/deep/a.c', 'vendor', 'vendor/owner'].map(isNotCompared)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('name what a folder no longer has, and leave to its own folder what is deeper', () => {
    const marks = new FileMarks([
      page(
        ['a10.ts', 'a9.ts', 'gone/x.ts', 'gone/y/z.ts', 'kept/w.ts', 'srcs/v.ts'].map((path) => file('deleted', path)),
      ),
    ]);
    expect(marks.goneFrom('', ['kept', 'b.ts'], true)).toEqual([
      { path: 'a9.ts', kind: 'file', files: 1 },
      { path: 'a10.ts', kind: 'file', files: 1 },
      { path: 'gone', kind: 'directory', files: 2 },
      { path: 'srcs', kind: 'directory', files: 1 },
    ]);
    expect(marks.goneFrom('kept', [], true)).toEqual([{ path: 'kept/w.ts', kind: 'file', files: 1 }]);
    expect(marks.goneFrom('src', [], true)).toEqual([]);
  });

  it('take no folder for deleted while more entries are to be loaded', () => {
    const marks = new FileMarks([page([file('deleted', 'z/a.ts'), file('deleted', 'b.ts')])]);
    expect(marks.goneFrom('', [], false).map(({ path }) => path)).toEqual(['b.ts']);
  });

  it('say what they leave out', () => {
    const totals = { files: 1_234, additions: 0, deletions: 0, atLeast: false };
    const cut = { nextCursor: 'b.ts', totals };
    const two = [file('added', 'a.ts'), file('added', 'b.ts')];
    expect(new FileMarks([page(two)]).shortfall).toBeNull();
    expect(new FileMarks([]).shortfall).toBeNull();
    expect(new FileMarks([page(two, cut)]).shortfall).toBe('Only the first 2 of 1,234 changed files are marked.');
    expect(new FileMarks([page(two, cut), page([file('added', 'c.ts')])]).shortfall).toBeNull();
    expect(new FileMarks([page(two, { ...cut, totals: { ...totals, atLeast: true } })]).shortfall).toBe(
      'Only the first 2 of at least 1,234 changed files are marked.',
    );
    expect(new FileMarks([page(two, { totals: { ...totals, files: 2, atLeast: true } })]).shortfall).toBe(
      'Comparing took too long. More files may be changed than are marked.',
    );
  });
});
