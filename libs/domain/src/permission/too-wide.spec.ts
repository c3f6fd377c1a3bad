import fc from 'fast-check';
import { decideToolUse } from './decide-tool-use';
import { parseRule } from './rule';
import { tooWide } from './too-wide';

const width = (text: string): string | null => tooWide(parseRule(text) ?? { tool: '', pattern: null });

describe('rules that allow more than they show', () => {
  it.each([
    'Bash',
    'Bash(*)',
    'Bash(* a)',
    'Bash(sh)',
    'Bash(sh *)',
    'Bash(xargs *)',
    'Bash(python3 *)',
    'Bash(python3 x.py)',
    'Bash(/usr/bin/env *)',
    'Bash(timeout 5 *)',
    'Bash(ssh *)',
    'Bash(psql *)',
    'Bash(docker run *)',
    'Bash(npx *)',
    'Bash(npm exec *)',
    'Bash(go run *)',
    'Bash(poetry run *)',
    'Bash(./x.sh *)',
    'Bash(git -c core.pager=x *)',
    'Bash(cat a | sh)',
    'Bash(echo $(x))',
    'Bash(find . -exec rm {} +)',
    'Bash(bas* x)',
    'Edit',
    'Write',
  ])('%s', (text) => expect(width(text)).toEqual(expect.stringMatching(/\.$/)));

  it.each([
    'Bash(npm test *)',
    'Bash(git *)',
    'Bash(git push *)',
    'Bash(make *)',
    'Bash(rm -rf build)',
    'Bash(touch a && touch b)',
    'Bash(ls *)',
    'Edit(src/**)',
    'Read',
    'WebFetch',
    'mcp__db',
  ])('are not %s', (text) => expect(width(text)).toBeNull());

  it('are none that deny or ask', () => {
    expect(tooWide({ tool: 'Bash', pattern: null, effect: 'deny' })).toBeNull();
    expect(tooWide({ tool: 'Bash', pattern: 'sh *', effect: 'ask' })).toBeNull();
  });

  it('are none that is ever offered', () => {
    const word = fc.constantFrom(
      'npm',
      'test',
      'run',
      'build',
      'git',
      'push',
      'sh',
      'python3',
      'make',
      'x',
      '-c',
      '&&',
      '|',
      'rm',
      'go',
      './x',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const { patterns = [] } = decideToolUse({
          mode: 'workbench',
          permissionMode: 'default',
          strict: false,
          autoApproveTools: [],
          rules: [],
          tool: 'Bash',
          input: { command: words.join(' ') },
        });
        for (const pattern of patterns) expect([pattern, width(pattern)]).toEqual([pattern, null]);
      }),
      { numRuns: 5_000 },
    );
  });
});
