import { requestLines } from './request-lines';

const textOf = (tool: string, input: unknown, columns = 60, patterns: string[] = []): string =>
  requestLines({ kind: 'tool', tool, input, patterns }, columns)
    .map(({ text }) => text)
    .join('\n');

describe('what a permission request shows', () => {
  it('has every field, not the most telling one alone', () => {
    const input = { command: 'ls', dangerouslyDisableSandbox: true, env: { PATH: '/evil' }, description: 'List' };
    const text = textOf('Bash', input, 60, ['Bash(ls:*)']);
    for (const part of ['command: ls', 'dangerouslyDisableSandbox: true', '"/evil"', 'description: List', 'Bash(ls:*)'])
      expect(text).toContain(part);
    expect(textOf('mcp__x__deploy', { plan: 'Look', target: 'production' })).toContain('target: production');
    expect(textOf('x', ['a', 7])).toContain('7');
  });

  it('has the last line of a long command, and every character of a wide one', () => {
    const rows = Array.from({ length: 500 }, (_, at) => `echo ${at}`).join('\n');
    expect(textOf('Bash', { command: `${rows}\nrm -rf /` })).toContain('rm -rf /');
    const wide = `echo ${'漢🎉é'.repeat(80)}; rm -rf /`;
    const lines = requestLines({ kind: 'tool', tool: 'Bash', input: { command: wide }, patterns: [] }, 40);
    const joined = lines.map(({ text }) => text.replaceAll(' ', '')).join('');
    expect(joined).toBe(`command:${wide.replaceAll(' ', '')}`);
    // A character takes two columns at most, so that a row is never cut at the edge of the screen.
    for (const { text } of lines)
      expect([...text].reduce((sum, each) => sum + (each > '~' ? 2 : 1), 0)).toBeLessThanOrEqual(40);
  });

  it('has what a diff does not show', () => {
    const edit = { file_path: '/workspace/a', old_string: 'a', new_string: 'b', replace_all: true };
    expect(textOf('Edit', edit)).toContain('replace_all: true');
    const notebook = { file_path: '/workspace/a', notebook_path: '/workspace/secret.ipynb', new_source: 'x' };
    expect(textOf('NotebookEdit', notebook)).toContain('notebook_path: /workspace/secret.ipynb');
    const edits = [{ old_string: 'a', new_string: 'b', replace_all: true }];
    expect(textOf('MultiEdit', { file_path: '/workspace/a', edits })).toContain('"replace_all": true');
    const content = Array.from({ length: 400 }, (_, at) => `line ${at}`).join('\n');
    expect(textOf('Write', { file_path: '/workspace/a', content })).toContain('+ line 399');
  });

  it('names what a terminal would obey, and lets no value pass for a field', () => {
    const text = textOf('Bash', { command: 'ls\n  description: harmless\u001b[2K', 'na\nme': 'x' });
    expect(text).toContain('      description: harmless⟨U+001B⟩[2K');
    expect(text).toContain('na⟨U+000A⟩me: x');
  });
});
