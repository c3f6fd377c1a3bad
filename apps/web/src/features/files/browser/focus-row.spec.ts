import { firstFocusRow, nextFocusRow } from './focus-row';

describe('where the keyboard is in a tree of files', () => {
  it.each([
    ['', null],
    ['src/a.ts', null],
    ['src/deep/', 'src/deep'],
  ])('opened at %j it begins at %j', (place, row) => {
    expect(firstFocusRow(place)).toBe(row);
  });

  it.each([
    ['a file that is left for its folder', 'src/a.ts', 'src/', 'src/a.ts'],
    ['a file that is left for the top', 'src/a.ts', '', 'src/a.ts'],
    ['a folder that a link in a file led to', 'src/a.md', 'docs/', 'docs'],
    ['a folder that is opened', 'src/', 'src/deep/', 'src/deep'],
    ['nowhere new when a folder at the top is closed', 'src/', '', null],
    ['nowhere new when a file is opened', 'src/', 'src/a.ts', null],
    ['nowhere new when a link leads to a file', 'src/a.md', 'src/b.md', null],
  ])('continues at %s', (_, before, place, row) => {
    expect(nextFocusRow(before, place)).toBe(row);
  });
});
