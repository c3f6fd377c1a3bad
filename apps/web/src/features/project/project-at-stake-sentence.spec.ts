import { projectAtStakeSentence } from './project-at-stake-sentence';

describe('what archiving a project concerns', () => {
  it.each([
    [
      { sessions: 0, live: 0, isMore: false },
      'It has no sessions that you can see. Private sessions of other people are not counted.',
    ],
    [{ sessions: 1, live: 0, isMore: false }, 'It has 1 session. Private sessions of other people are not counted.'],
    [
      { sessions: 4, live: 1, isMore: false },
      'It has 4 sessions; 1 turn is in progress and will be stopped. Private sessions of other people are not counted.',
    ],
    [
      { sessions: 200, live: 3, isMore: true },
      'It has at least 200 sessions; at least 3 turns are in progress and will be stopped. Private sessions of other people are not counted.',
    ],
  ])('%j', (counts, sentence) => {
    expect(projectAtStakeSentence(counts)).toBe(sentence);
  });
});
