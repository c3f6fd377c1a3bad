import { execFileSync } from 'node:child_process';
import { describeLaunch } from './launch-text.mjs';

describe('describeLaunch', () => {
  const turn = {
    id: 'turn_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    sessionId: 'sess_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    attempt: 2,
    status: 'completed',
    model: 'claude-opus-4-5',
    claudeVersion: '2.1.332',
    launch: JSON.stringify({ program: 'claude', args: ['-p', '--setting-sources', '', '--tools', "Read,it's", '--model', 'a b$(c)'], environment: ['PATH', 'ANTHROPIC_API_KEY'], promptHash: 'abc' }),
  };

  it('is a command that a shell reads as exactly these arguments', () => {
    const command = describeLaunch(turn).replace('claude -p', "/bin/sh -c 'printf \"[%s]\" \"$@\"' claude -p");
    expect(execFileSync('/bin/sh', ['-c', command]).toString()).toBe("[-p][--setting-sources][][--tools][Read,it's][--model][a b$(c)]");
  });

  it('names the turn, its versions and its variables, and no value of them', () => {
    const text = describeLaunch(turn);
    expect(text).toContain('# turn_01ARZ3NDEKTSV4RRFFQ69G5FAV of sess_01ARZ3NDEKTSV4RRFFQ69G5FAV, attempt 2, completed\n# claude 2.1.332, model claude-opus-4-5\n');
    expect(text).toContain("env -i \\\n  ANTHROPIC_API_KEY='<left out>' \\\n  PATH='<left out>' \\\n  claude -p");
  });
});
