import { plainText } from './plain-text';

describe('markdown that is read aloud', () => {
  it.each([
    [
      'emphasis',
      'The **demo model** is *not* a __real__ _one_, ~~really~~.',
      'The demo model is not a real one, really.',
    ],
    ['code', 'I will run `npm test`.', 'I will run npm test.'],
    ['a block of code', 'Run:\n```sh\nnpm test # **\n```\nThen', 'Run:\nnpm test # **\nThen'],
    ['headings and lists', '# Title\n\n- [ ] one\n* two\n> quoted', 'Title\none\ntwo\nquoted'],
    ['links and pictures', 'See [the page](https://a.test) ![logo](l.png)', 'See the page logo'],
    ['a table', '| Tool | Use |\n| --- | :-: |\n| Write | `a` |', 'Tool, Use\nWrite, a'],
    ['names with underscores and products', 'snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['escaped marks', '\\*not\\* emphasised', '*not* emphasised'],
    ['a line between', 'a\n\n---\n\nb', 'a\nb'],
  ])('has only the words of %s', (_, markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });
});
