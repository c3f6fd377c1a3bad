import { mayHaveUnpushedWork, unpushedWork, type UnpushedFacts } from './unpushed-work';

const commit = (name: string, ...parents: string[]) => ({ commit: name, parents, subject: `about ${name}` });
const recorded = {
  files: 1,
  names: ['a.txt'],
  // d merges c into b; a is the oldest.
  commits: [commit('d', 'b', 'c'), commit('c', 'base'), commit('b', 'a'), commit('a', 'base')],
  commitCount: 4,
  stashes: 0,
};
const facts = (changes: Partial<UnpushedFacts> = {}): UnpushedFacts => ({
  recorded,
  at: '2026-11-30T12:00:00.000Z',
  pushed: [],
  changedBy: null,
  isUntouched: false,
  ...changes,
});
const left = (changes: Partial<UnpushedFacts>) => unpushedWork(facts(changes)).commits;

describe('what exists only in a session', () => {
  it('is what was recorded when the files were stored', () => {
    expect(unpushedWork(facts())).toEqual({
      state: 'known',
      reason: null,
      files: { count: 1, names: ['a.txt'] },
      commits: {
        count: 4,
        atLeast: false,
        latest: ['d', 'c', 'b', 'a'].map((name) => ({ commit: name, subject: `about ${name}` })),
      },
      stashes: 0,
      at: '2026-11-30T12:00:00.000Z',
    });
  });

  it.each<[string[], string[]]>([
    [['b'], ['d', 'c']],
    [['c'], ['d', 'b', 'a']],
    [['d'], []],
    [
      ['a', 'c'],
      ['d', 'b'],
    ],
    [['elsewhere'], ['d', 'c', 'b', 'a']],
  ])('leaves out what %j took to the remote', (pushed, expected) => {
    expect(left({ pushed })?.latest.map(({ commit: name }) => name)).toEqual(expected);
  });

  it('counts commits that are not kept, and guesses none of them', () => {
    const cut = { ...recorded, commitCount: 900 };
    expect(left({ recorded: cut })).toMatchObject({ count: 900, atLeast: false });
    expect(left({ recorded: cut, pushed: ['b'] })).toMatchObject({ count: 2, atLeast: true });
  });

  it('says that a turn or a failed store may have changed it since', () => {
    expect(unpushedWork(facts({ changedBy: 'turn_running' }))).toMatchObject({
      state: 'earlier',
      reason: 'turn_running',
    });
    expect(unpushedWork(facts({ recorded: null, changedBy: 'not_stored' }))).toEqual({
      state: 'unknown',
      reason: 'not_stored',
      files: null,
      commits: null,
      stashes: null,
      at: null,
    });
    expect(unpushedWork(facts({ recorded: null }))).toMatchObject({ state: 'unknown', reason: 'not_recorded' });
  });

  it('is nothing in a session in which nothing ever ran', () => {
    const work = unpushedWork(facts({ recorded: null, at: null, isUntouched: true }));
    expect(work).toMatchObject({ state: 'known', files: { count: 0 }, commits: { count: 0 } });
    expect(mayHaveUnpushedWork(work)).toBe(false);
  });

  it('is asked about where it is not known', () => {
    expect(mayHaveUnpushedWork(unpushedWork(facts({ recorded: null })))).toBe(true);
    expect(mayHaveUnpushedWork(unpushedWork(facts()))).toBe(true);
    const pushed = facts({ recorded: { ...recorded, files: 0, names: [] }, pushed: ['d'] });
    expect(mayHaveUnpushedWork(unpushedWork(pushed))).toBe(false);
  });
});
