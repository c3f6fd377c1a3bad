import { parseUnifiedDiff, type DiffHunk } from '@chirality/domain';
import { isIn, numberOf, placeText, possibleEnds, sideOf } from './commenting';

const [file] = parseUnifiedDiff(
  ['--- a/a.ts', '+++ b/a.ts', '@@ -10,3 +10,4 @@', ' one', '-two', '+2', '+2b', ' three'].join('\n'),
);
const hunk: DiffHunk = file!.hunks[0]!;

describe('where comments on changes stand', () => {
  it('is the new version of what is there, and the old one of what was removed', () => {
    expect(hunk.lines.map((line) => [line.text, sideOf(line), numberOf(line)])).toEqual([
      ['one', 'new', 10],
      ['two', 'old', 11],
      ['2', 'new', 11],
      ['2b', 'new', 12],
      ['three', 'new', 13],
    ]);
  });

  it('may be several lines of one side', () => {
    expect([possibleEnds(hunk, 'new', 11), possibleEnds(hunk, 'old', 11)]).toEqual([
      [11, 12, 13],
      [11, 12],
    ]);
  });

  it('is one comparison', () => {
    const commit = 'abc1234';
    expect([isIn({ scope: 'uncommitted' }, {}), isIn({ scope: 'uncommitted' }, { commit })]).toEqual([true, false]);
    expect([isIn({ commit }, { commit }), isIn({ commit }, {})]).toEqual([true, false]);
  });

  it.each([
    [{ side: 'new', line: 4 } as const, 'a.ts, line 4'],
    [{ side: 'old', line: 4, endLine: 6 } as const, 'a.ts, lines 4–6 before the change'],
  ])('is said in words', (place, text) => {
    expect(placeText({ path: 'a.ts', ...place })).toBe(text);
  });
});
