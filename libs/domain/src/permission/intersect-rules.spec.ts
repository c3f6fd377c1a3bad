import { intersectRules, ruleCovers } from './intersect-rules';
import { judgeCommand } from './judge-command';

describe('whether one rule covers another', () => {
  it.each([
    ['Bash', 'Bash(rm *)'],
    ['Bash(git *)', 'Bash(git log *)'],
    ['Bash(git *)', 'Bash(git log --oneline)'],
    ['Bash(npm run *)', 'Bash(npm run test:*)'],
    ['Bash(git -c core.pager=cat *)', 'Bash(git -c core.pager=cat log *)'],
    ['Bash(make *)', 'Bash(make build 2>&1)'],
    ['Edit(src/**)', 'Edit(src/a/**)'],
    ['Edit', 'Write(src/a.ts)'],
  ])('%s covers %s', (wide, narrow) => expect(ruleCovers(wide, narrow)).toBe(true));

  it.each([
    ['Bash(git log *)', 'Bash(git *)'],
    ['Bash(git *)', 'Bash(git log && rm x)'],
    ['Bash(git *)', 'Bash(git -c core.pager=evil log)'],
    ['Bash(git *)', 'Bash(git -c *)'],
    ['Bash(git *)', 'Bash(git -c core.pager=evil *)'],
    ['Bash(git *)', 'Bash(git show HEAD:x > ~/.bashrc)'],
    ['Bash(git *)', 'Bash(git config *)'],
    ['Bash(git *)', 'Bash(git log --output *)'],
    ['Bash(npm *)', 'Bash(npm exec *)'],
    ['Bash(npm *)', 'Bash(npm --loglevel *)'],
    ['Bash(npm *)', 'Bash(npm exec evil)'],
    ['Bash(find . *)', 'Bash(find . -exec *)'],
    ['Bash(find . *)', 'Bash(find . -delete)'],
    ['Edit(src/**)', 'Edit(src/../**)'],
    ['Edit(src/**)', 'Bash(rm *)'],
  ])('%s does not cover %s', (wide, narrow) => {
    expect(ruleCovers(wide, narrow)).toBe(false);
    expect(intersectRules([wide], [narrow])).not.toContain(narrow);
  });

  it('is so only where each command of the one is allowed by the other', () => {
    const commands = [
      'git log',
      'git -c core.pager=evil log',
      'git log > a',
      'git config a b',
      'npm exec evil',
      'npm --loglevel exec evil',
      'find . -exec rm x',
      'find . -name x',
      'npm test',
    ];
    const patterns = [
      'git *',
      'git log *',
      'git -c *',
      'git -c core.pager=evil *',
      'git lo*',
      'git log',
      'git config *',
      'npm *',
      'npm --loglevel *',
      'npm exec *',
      'find . *',
      'find . -exec *',
      'npm test',
      ...commands,
    ];
    const broken: string[] = [];
    for (const wide of patterns)
      for (const narrow of patterns.filter((one) => ruleCovers(`Bash(${wide})`, `Bash(${one})`)))
        for (const command of commands)
          if (judgeCommand(command, [narrow], false).allowed && !judgeCommand(command, [wide], false).allowed)
            broken.push(`${wide} | ${narrow} | ${command}`);
    expect(broken).toEqual([]);
  });
});
