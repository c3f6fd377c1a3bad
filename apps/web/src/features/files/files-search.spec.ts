import { fileOfPath, folderAround, foldersOfPath, pathOfFolder, placeHref, readFilesSearch } from './files-search';

describe('the address of a project’s files', () => {
  it.each([
    [{}, undefined],
    [{ path: '' }, undefined],
    [{ path: 'src/a b.ts' }, 'src/a b.ts'],
    [{ path: 2026 }, '2026'],
    [{ path: { toString: 'x' } }, undefined],
    [{ path: ['src'] }, undefined],
  ])('%j asks for %s', (search, path) => {
    expect(readFilesSearch(search)).toEqual({ path });
  });

  it.each([
    ['', null, []],
    ['a.ts', 'a.ts', []],
    ['src/deep/a.ts', 'src/deep/a.ts', ['src', 'src/deep']],
    ['src/deep/', null, ['src', 'src/deep']],
  ])('%j names the file %s, below the folders %j', (path, file, folders) => {
    expect([fileOfPath(path), foldersOfPath(path)]).toEqual([file, folders]);
  });

  it('follows a folder that is opened, and goes up when it is closed', () => {
    expect([pathOfFolder('src/deep', true), pathOfFolder('src/deep', false), pathOfFolder('src', false)]).toEqual([
      'src/deep/',
      'src/',
      undefined,
    ]);
  });

  it('names the folder around a file', () => {
    expect(['a.ts', 'src/a.ts', 'src/deep/a.ts'].map(folderAround)).toEqual(['', 'src/', 'src/deep/']);
  });

  it('is that of a place in a project only', () => {
    expect(placeHref({ of: 'projects' }, 'src/a&b #1.md')).toBe('?path=src%2Fa%26b%20%231.md');
    expect(placeHref({ of: 'sessions' }, 'src/a.md')).toBe('#');
  });
});
