import { closeOpenMarks } from './close-open-marks';

describe('closing what a growing block has left open', () => {
  it.each([
    ['**bo', '**bo**'],
    ['**bold** and *it', '**bold** and *it*'],
    ['a **', 'a '],
    ['a *', 'a '],
    ['~~gone', '~~gone~~'],
    ['**bold *both', '**bold *both***'],
    ['use `npm ru', 'use `npm ru`'],
    ['use `', 'use '],
    ['a ``co`de', 'a ``co`de``'],
    ['see [the do', 'see the do'],
    ['see [the docs](https://exam', 'see the docs'],
    ['see [the docs](https://example.test) now', 'see [the docs](https://example.test) now'],
    ['![pic](https://x', 'pic'],
    ['snake_case_name', 'snake_case_name'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['* item **bo', '* item **bo**'],
    ['`a*b` and more', '`a*b` and more'],
    ['Heading?\n--', 'Heading?\n'],
    ['| a | b |\n| -', '| a | b |\n'],
    ['text\n#', 'text\n'],
    ['text\n1', 'text\n'],
    ['- one\n- ', '- one\n'],
    ['```js\nconst **x', '```js\nconst **x'],
    ['plain text', 'plain text'],
  ])('%j is shown as %j', (raw, shown) => {
    expect(closeOpenMarks(raw)).toBe(shown);
  });
});
