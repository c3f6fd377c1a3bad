import { readRuleInput } from './rule-input';

describe('a rule as a user types it', () => {
  it.each<[string, ReturnType<typeof readRuleInput>]>([
    ['Bash', { tool: 'Bash', pattern: null }],
    [' Bash(npm test *) ', { tool: 'Bash', pattern: 'npm test *' }],
    ['Edit(src/**)', { tool: 'Edit', pattern: 'src/**' }],
    ['mcp__db__query', { tool: 'mcp__db__query', pattern: null }],
    ['Bash(*)', { tool: 'Bash', pattern: null }],
    ['npm test', null],
    ['Bash(', null],
    ['', null],
  ])('%j', (text, rule) => expect(readRuleInput(text)).toEqual(rule));
});
