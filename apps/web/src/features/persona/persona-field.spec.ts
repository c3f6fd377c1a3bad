import { withField } from './persona-field';

describe('a field of a persona’s text', () => {
  it.each([
    ['is added to the others', '---\nname: A\n---\nBody', 'opus', '---\nname: A\nmodel: opus\n---\nBody'],
    [
      'takes the place of its value',
      '---\nmodel: haiku\nname: A\n---\nmodel: in the body',
      'opus',
      '---\nmodel: opus\nname: A\n---\nmodel: in the body',
    ],
    ['is taken out', '---\nmodel: haiku\nname: A\n---\nBody', null, '---\nname: A\n---\nBody'],
    ['begins the fields where there are none', 'Body', 'opus', '---\nmodel: opus\n---\nBody'],
    [
      'keeps the line ends of a text from Windows',
      '---\r\nname: A\r\n---\r\nBody\r\n',
      'opus',
      '---\r\nname: A\r\nmodel: opus\r\n---\r\nBody\r\n',
    ],
    [
      'is found behind a byte order mark',
      '\uFEFF---\nmodel: haiku\n---\nBody',
      'opus',
      '\uFEFF---\nmodel: opus\n---\nBody',
    ],
    ['is found with a space before its colon', '---\nmodel : haiku\n---\nBody', 'opus', '---\nmodel: opus\n---\nBody'],
    [
      'is not one whose name begins with it',
      '---\nmodels: x\n---\nBody',
      'opus',
      '---\nmodels: x\nmodel: opus\n---\nBody',
    ],
    ['is not looked for in a text without fields', 'model: x', null, 'model: x'],
  ])('%s', (_, before, value, after) => {
    expect(withField(before, 'model', value)).toBe(after);
  });
});
