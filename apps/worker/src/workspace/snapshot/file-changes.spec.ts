import { parseFileChanges } from './file-changes';

const LIMITS = { files: 10, patchBytes: 1_000, outputCut: false };
const raw = (letter: string, ...paths: string[]) => `:100644 100644 1111111 2222222 ${letter}\0${paths.join('\0')}\0`;
const parse = (text: string, limits = LIMITS) => parseFileChanges(Buffer.from(text, 'utf8'), limits);

describe('the changes that git reports', () => {
  it('are read with statuses, counts and patch', () => {
    const output = raw('M', 'a.txt') + raw('R087', 'old name', 'new\nname') + raw('A', 'img.png') + '2\t1\ta.txt\0' + '3\t0\t\0old name\0new\nname\0' + '-\t-\timg.png\0' + '\0' + 'diff --git a/a.txt b/a.txt\n';
    expect(parse(output)).toEqual({
      files: [
        { path: 'a.txt', status: 'modified', additions: 2, deletions: 1 },
        { path: 'new\nname', status: 'renamed', additions: 3, deletions: 0 },
        { path: 'img.png', status: 'added', additions: 0, deletions: 0 },
      ],
      additions: 5,
      deletions: 1,
      patch: 'diff --git a/a.txt b/a.txt\n',
      truncated: false,
    });
  });

  it('are none for no output', () => {
    expect(parse('')).toEqual({ files: [], additions: 0, deletions: 0, patch: '', truncated: false });
  });

  it('give only what is complete when the output was cut anywhere', () => {
    const whole = raw('M', 'a.txt') + raw('D', 'b.txt') + '2\t1\ta.txt\0' + '0\t9\tb.txt\0' + '\0' + 'diff --git a/a.txt b/a.txt\n-x\n';
    for (let length = 0; length < whole.length; length += 1) {
      const { files, truncated } = parse(whole.slice(0, length), { ...LIMITS, outputCut: true });
      expect(truncated).toBe(true);
      expect([
        [],
        [{ path: 'a.txt', status: 'modified', additions: 2, deletions: 1 }],
        [
          { path: 'a.txt', status: 'modified', additions: 2, deletions: 1 },
          { path: 'b.txt', status: 'deleted', additions: 0, deletions: 9 },
        ],
      ]).toContainEqual(files);
    }
  });

  it('count every file but list no more than asked for', () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
    const output = names.map((name) => raw('A', name)).join('') + names.map((name) => `1\t0\t${name}\0`).join('') + '\0';
    expect(parse(output)).toMatchObject({ files: { length: 10 }, additions: 12, truncated: true });
  });

  it('cut a long patch at the end of a line', () => {
    const output = `${raw('M', 'é')}1\t1\té\0\0${'+éé\n'.repeat(100)}`;
    const { patch, truncated } = parse(output, { ...LIMITS, patchBytes: 20 });
    expect({ patch, truncated }).toEqual({ patch: '+éé\n'.repeat(3), truncated: true });
  });

  it('are not confused by files that are named like records', () => {
    const odd = ':100644 100644 x';
    expect(parse(`${raw('M', odd)}4\t2\t1\t1\tz\0`).files).toEqual([]);
    expect(parse(`${raw('M', odd)}4\t2\t${odd}\0\0`).files).toEqual([{ path: odd, status: 'modified', additions: 4, deletions: 2 }]);
  });
});
