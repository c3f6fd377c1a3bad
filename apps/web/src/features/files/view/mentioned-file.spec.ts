import { mentionedFile } from './mentioned-file';

describe('a file that the conversation names', () => {
  it.each<[string, string, number | null]>([
    ['src/a.ts#L42', 'src/a.ts', 42],
    ['./docs/%C3%A4%20b.md', 'docs/ä b.md', null],
    ['/workspace/src/a.ts#L7', 'src/a.ts', 7],
    ['src/', 'src/', null],
    ['README.md#usage', 'README.md', null],
  ])('%s', (href, path, line) => {
    expect(mentionedFile(href, '/workspace')).toEqual({ path, line });
  });

  it.each(['/etc/passwd', '../x', '/workspace', '', '#', '/workspacex/a'])('%s is none', (href) => {
    expect(mentionedFile(href, '/workspace')).toBeNull();
    expect(mentionedFile('/workspace/a.ts', null)).toBeNull();
  });
});
