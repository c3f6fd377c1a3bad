import type { UnpushedWork } from '@chirality/contracts';
import { unpushedSentence } from './unpushed-sentence';

const NOTHING: UnpushedWork = {
  state: 'known',
  reason: null,
  files: { count: 0, names: [] },
  commits: { count: 0, atLeast: false, latest: [] },
  stashes: 0,
  at: null,
};
const commits = (count: number, atLeast = false) => ({ count, atLeast, latest: [] });

describe('what a session would take along', () => {
  it.each<[Partial<UnpushedWork>, string | null]>([
    [{}, null],
    [{ files: { count: 1, names: ['a'] } }, 'Only in this session: 1 changed file.'],
    [{ commits: commits(2) }, 'Only in this session: 2 commits not pushed.'],
    [
      { files: { count: 3, names: [] }, commits: commits(1, true), stashes: 2 },
      'Only in this session: 3 changed files, at least 1 commit not pushed and 2 stashes.',
    ],
    [
      { state: 'earlier', reason: 'turn_running', files: { count: 3, names: [] } },
      'Only in this session: 3 changed files. A turn is running and may have changed more.',
    ],
    [
      { state: 'earlier', reason: 'not_stored' },
      'Nothing existed only in this session when it was last stored. Newer files of it are not stored, so there may be more.',
    ],
    [
      { state: 'unknown', reason: 'not_recorded', files: null, commits: null, stashes: null },
      'What exists only in this session is not known: it was not recorded yet. Its next turn records it.',
    ],
  ])('%j: %s', (work, sentence) => {
    expect(unpushedSentence({ ...NOTHING, ...work })).toBe(sentence);
  });
});
