import { rankEntries } from './rank-entries';

const entries = [
  { label: 'Refactor the parser', context: 'acme' },
  { label: 'acme', context: 'Project' },
  { label: 'Fix a typo', context: 'docs' },
];
const labels = (search: string) => rankEntries(entries, search).map(({ label }) => label);

describe('finding something to go to', () => {
  it('prefers names that begin with the word, then words within, then where it belongs', () => {
    expect(labels('acme')).toEqual(['acme', 'Refactor the parser']);
    expect(labels('par')).toEqual(['Refactor the parser']);
  });

  it('needs every word, in any order', () => {
    expect(labels('acme parser')).toEqual(['Refactor the parser']);
    expect(labels('typo acme')).toEqual([]);
  });

  it('takes signs of regular expressions as they are, and nothing as everything', () => {
    expect(labels('(.*')).toEqual([]);
    expect(labels('  ')).toHaveLength(3);
  });
});
