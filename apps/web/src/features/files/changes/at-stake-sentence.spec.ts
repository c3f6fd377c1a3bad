import { atStakeSentence } from './at-stake-sentence';

const NOTHING = { files: 0, atLeast: false, nested: 0, commits: 0 };

describe('what archiving a session puts at stake', () => {
  it.each([
    [{}, null],
    [{ files: 1 }, 'Only in this session: 1 uncommitted file.'],
    [{ commits: 2 }, 'Only in this session: 2 commits.'],
    [
      { files: 3, atLeast: true, nested: 1, commits: 1 },
      'Only in this session: at least 3 uncommitted files, 1 nested repository and 1 commit.',
    ],
  ])('%j: %s', (counts, sentence) => {
    expect(atStakeSentence({ ...NOTHING, ...counts })).toBe(sentence);
  });
});
