import { fileSentence } from './file-sentence';

const file = { status: 'added', binary: false, additions: 0, deletions: 0 };

describe('a changed file without lines to show', () => {
  it.each([
    [{ binary: true }, 'Binary file added'],
    [{ binary: true, status: 'modified' }, 'Binary file changed'],
    [{}, 'Empty file added'],
    [{ status: 'deleted' }, 'Empty file deleted'],
    [{ status: 'renamed' }, 'File renamed'],
    [{ status: 'modified' }, 'Permissions changed'],
  ])('%j reads “%s”', (changes, sentence) => {
    expect(fileSentence({ ...file, ...changes })).toBe(sentence);
  });
});
