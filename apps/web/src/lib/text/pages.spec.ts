import { pagesOf } from './pages';

describe('a text in pages', () => {
  it.each([
    ['nothing', '', []],
    ['less than a page', 'ab', ['ab']],
    ['whole pages', 'abcdef', ['abc', 'def']],
    ['no half of a character', 'ab🎉cd', ['ab🎉', 'cd']],
    ['no half of a line end', 'ab\r\ncd', ['ab\r\n', 'cd']],
  ])('%s', (_, text, pages) => {
    expect(pagesOf(text, 3)).toEqual(pages);
  });
});
