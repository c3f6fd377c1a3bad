import { ChangesReader, type ChangeLimits } from './file-changes';

const LIMITS: ChangeLimits = { files: 10, nameBytes: 1_000, patchBytes: 2_000, filePatchBytes: 200 };
const raw = (letter: string, ...paths: string[]) => `:100644 100644 1111111 2222222 ${letter}\0${paths.join('\0')}\0`;
const patchOf = (path: string, body = '-x\n+y\n') =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${body}`;

/** Reads the output in pieces of that many bytes. */
function read(
  text: string,
  {
    limits = {},
    complete = true,
    piece = Infinity,
  }: { limits?: Partial<ChangeLimits>; complete?: boolean; piece?: number } = {},
) {
  const reader = new ChangesReader({ ...LIMITS, ...limits });
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; at += piece) if (reader.push(bytes.subarray(at, at + piece))) break;
  return reader.finish(complete);
}

describe('the changes that git reports', () => {
  const output =
    raw('M', 'a.txt') +
    raw('R087', 'old name', 'new\nname') +
    raw('A', 'img.png') +
    '2\t1\ta.txt\0' +
    '3\t0\t\0old name\0new\nname\0' +
    '-\t-\timg.png\0' +
    '\0' +
    patchOf('a.txt') +
    'diff --git a/old name "b/new\\nname"\nrename\n' +
    'diff --git a/img.png b/img.png\nBinary files differ\n';
  const expected = {
    files: [
      {
        path: 'a.txt',
        status: 'modified',
        additions: 2,
        deletions: 1,
        binary: false,
        patch: 'shown',
        patchBytes: patchOf('a.txt').length,
      },
      {
        path: 'new\nname',
        oldPath: 'old name',
        status: 'renamed',
        additions: 3,
        deletions: 0,
        binary: false,
        patch: 'shown',
        patchBytes: 43,
      },
      { path: 'img.png', status: 'added', additions: 0, deletions: 0, binary: true, patch: 'shown', patchBytes: 51 },
    ],
    fileCount: 3,
    additions: 5,
    deletions: 1,
    atLeast: false,
    hasMore: false,
    truncated: false,
  };

  it.each([Infinity, 1, 2, 7, 64])('are read with statuses, counts and patches, in pieces of %d bytes', (piece) => {
    expect(read(output, { piece })).toMatchObject(expected);
  });

  it('are none for no output', () => {
    expect(read('')).toEqual({
      files: [],
      fileCount: 0,
      additions: 0,
      deletions: 0,
      atLeast: false,
      hasMore: false,
      patch: '',
      truncated: false,
    });
  });

  it('are at least what was seen when git was stopped before it had counted', () => {
    const list = raw('M', 'a.txt') + raw('D', 'b.txt') + '2\t1\ta.txt\0' + '0\t9\tb.txt\0\0';
    for (let length = 0; length < list.length; length += 1)
      expect(read(list.slice(0, length), { complete: false })).toMatchObject({ atLeast: true, truncated: true });
    expect(read(list + patchOf('a.txt').slice(0, 30), { complete: false })).toMatchObject({
      fileCount: 2,
      additions: 2,
      deletions: 10,
      atLeast: false,
    });
  });

  it('count every file but list no more than asked for, and begin where a page ended', () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${String.fromCharCode(97 + index)}`);
    const all = names.map((name) => raw('A', name)).join('') + names.map((name) => `1\t0\t${name}\0`).join('') + '\0';
    expect(read(all)).toMatchObject({
      files: { length: 10 },
      fileCount: 12,
      additions: 12,
      atLeast: false,
      hasMore: true,
      truncated: true,
    });
    expect(read(all, { limits: { after: 'fj' } })).toMatchObject({
      files: [{ path: 'fk', patch: 'folded', patchBytes: null }, { path: 'fl' }],
      fileCount: 12,
      hasMore: false,
    });
    expect(read(all, { limits: { nameBytes: 30 } }).files.length).toBeLessThan(5);
  });

  it('keep small patches whatever is beside them', () => {
    const large = patchOf('b', '+line\n'.repeat(500));
    const list =
      ['a', 'b', 'c'].map((name) => raw('M', name)).join('') +
      ['a', 'b', 'c'].map((name) => `1\t1\t${name}\0`).join('') +
      '\0';
    const found = read(list + patchOf('a') + large + patchOf('c'), { piece: 100 });
    expect(found.files.map(({ patch, patchBytes }) => [patch, patchBytes])).toEqual(
      [
        ['shown', 52],
        ['folded', large.length],
        ['shown', 52],
      ].map(([patch, bytes]) => [patch, bytes === 52 ? patchOf('a').length : bytes]),
    );
    expect(found).toMatchObject({ patch: patchOf('a') + patchOf('c'), truncated: true });
  });

  it('have seen enough when the last listed file has passed', () => {
    const reader = new ChangesReader({ ...LIMITS, files: 1 });
    reader.push(Buffer.from(raw('M', 'a') + raw('M', 'b') + '1\t1\ta\0' + '1\t1\tb\0\0'));
    expect(reader.push(Buffer.from(patchOf('a')))).toBe(false);
    expect(reader.push(Buffer.from(patchOf('b')))).toBe(true);
    expect(reader.finish(true)).toMatchObject({
      files: [{ path: 'a', patch: 'shown' }],
      fileCount: 2,
      patch: patchOf('a'),
      hasMore: true,
    });
  });

  it('are not confused by files that are named like records', () => {
    const odd = ':100644 100644 x';
    expect(read(`${raw('M', odd)}4\t2\t${odd}\0\0`).files).toMatchObject([
      { path: odd, status: 'modified', additions: 4, deletions: 2 },
    ]);
  });
});
