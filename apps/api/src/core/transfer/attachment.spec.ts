import { contentDisposition } from './attachment';

describe('the name of a download', () => {
  it.each([
    ['a.txt', 'a.txt', 'a.txt'],
    ['日本語.md', '___.md', '%E6%97%A5%E6%9C%AC%E8%AA%9E.md'],
    ['👩‍💻.ts', '___.ts', '%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB.ts'],
    ['a"b;c%41.txt', 'a_b_c_41.txt', 'a%22b%3Bc%2541.txt'],
    ["it's (1)*.txt", "it's (1)*.txt", 'it%27s%20%281%29%2a.txt'],
    ['new\nline\r\nset-cookie: x', 'new_line__set-cookie: x', 'new_line__set-cookie%3A%20x'],
    ['a/b\\c', 'a_b_c', 'a_b_c'],
    ['exe\u202egpj', 'exe_gpj', 'exe_gpj'],
    ['half \ud800', 'half _', 'half%20%EF%BF%BD'],
    ['..', 'download', 'download'],
    ['', 'download', 'download'],
  ])('%j is %s and %s', (name, ascii, encoded) => {
    expect(contentDisposition(name)).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`);
  });

  it('is cut between characters', () => {
    const header = contentDisposition('🙂'.repeat(400));
    expect(decodeURIComponent(/''(.*)$/.exec(header)?.[1] ?? '')).toBe('🙂'.repeat(150));
  });
});
