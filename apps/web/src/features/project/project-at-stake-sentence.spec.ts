import { projectAtStakeSentence } from './project-at-stake-sentence';

describe('what archiving a project concerns', () => {
  it.each([
    [{ sessions: 0, live: 0, isMore: false }, null],
    [{ sessions: 1, live: 0, isMore: false }, 'It has 1 session.'],
    [{ sessions: 4, live: 1, isMore: false }, 'It has 4 sessions; 1 turn is in progress and will be stopped.'],
    [
      { sessions: 200, live: 3, isMore: true },
      'It has at least 200 sessions; at least 3 turns are in progress and will be stopped.',
    ],
  ])('%j', (counts, sentence) => {
    expect(projectAtStakeSentence(counts)).toBe(sentence);
  });
});
