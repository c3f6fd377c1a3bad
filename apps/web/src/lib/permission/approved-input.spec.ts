import { approvedInput, offeredRules, ruleWords } from './approved-input';

describe('what a person decides on', () => {
  it('is a whole command with everything else that was asked for', () => {
    expect(
      approvedInput({
        tool: 'Bash',
        input: { command: 'npm test', description: 'Test', run_in_background: true, timeout: 9 },
      }),
    ).toEqual({
      patch: null,
      text: 'npm test',
      isCommand: true,
      others: [
        { name: 'run_in_background', value: 'true' },
        { name: 'timeout', value: '9' },
      ],
    });
  });

  it('is the whole input of any other tool, even when it has a field named command', () => {
    const { text, isCommand } = approvedInput({ tool: 'mcp__ops__run', input: { command: 'ls', host: 'production' } });
    expect([isCommand, text]).toEqual([false, '{\n  "command": "ls",\n  "host": "production"\n}']);
  });

  it('is a change of a file with what goes beyond its text', () => {
    const edit = { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' };
    expect(approvedInput({ tool: 'Edit', input: { ...edit, replace_all: true } }).others).toEqual([
      { name: 'replace_all', value: 'true' },
    ]);
    expect(approvedInput({ tool: 'Edit', input: { ...edit, replace_all: false } }).others).toEqual([]);
    expect(
      approvedInput({
        tool: 'NotebookEdit',
        input: { notebook_path: '/w/a.ipynb', new_source: '', edit_mode: 'delete' },
      }).others,
    ).toEqual([{ name: 'edit_mode', value: 'delete' }]);
    expect(
      approvedInput({
        tool: 'MultiEdit',
        input: { file_path: '/w/a.ts', edits: [{ old_string: 'a', new_string: 'b', replace_all: true }] },
      }).others,
    ).toHaveLength(1);
    expect(
      approvedInput({
        tool: 'MultiEdit',
        input: { file_path: '/w/a.ts', edits: [{ old_string: 'a', new_string: 'b' }] },
      }).others,
    ).toEqual([]);
  });

  it('shows each rule that would be stored, from servers that offer one or several', () => {
    expect(offeredRules({ pattern: null })).toEqual([]);
    expect(offeredRules({})).toEqual([]);
    expect(offeredRules({ pattern: 'Bash(npm test *)' })).toEqual(['Bash(npm test *)']);
    expect(offeredRules({ pattern: 'Bash(a *)', patterns: ['Bash(a *)', 'Bash(b *)'] })).toEqual([
      'Bash(a *)',
      'Bash(b *)',
    ]);
    expect(['Bash(npm test *)', 'Edit(src/**)'].map(ruleWords)).toEqual(['npm test *', 'Edit(src/**)']);
  });
});
