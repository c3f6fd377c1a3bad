import { anchorOf, headingAt } from './anchor';

describe('the anchor of a heading', () => {
  it.each([
    ['Getting started', 'getting-started'],
    ['  What’s new? ', 'whats-new'],
    ['`npm run` & more', 'npm-run--more'],
    ['snake_case - dash', 'snake_case---dash'],
    ['Über uns', 'über-uns'],
    ['日本語', '日本語'],
  ])('%j is %s', (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });

  it('tells headings of the same text apart by their number', () => {
    const headings = ['Notes', 'Other', 'Notes', 'notes'];
    expect(
      ['notes', 'notes-1', 'notes-2', 'notes-3', 'other', ''].map((anchor) => headingAt(headings, anchor)),
    ).toEqual([0, 2, 3, -1, 1, -1]);
  });
});
