import { optionsSentence, optionText } from './option-names';

describe('the words of options', () => {
  it('name what a session sets, in the order of the form', () => {
    expect(
      optionsSentence({
        maxBudgetUsd: '2',
        timeoutMs: 5_400_000,
        effort: 'high',
        model: 'claude-opus-5-5',
        tools: ['Read'],
      }),
    ).toBe('Model: Claude Opus 5.5 · Effort: High · Time limit: 1 h 30 min · Budget per turn: $2.00');
    expect(optionsSentence({ tools: ['Read'] })).toBe('The session uses the defaults');
  });

  it('show a value that they do not know as it is', () => {
    expect([
      optionText('effort', 'extreme'),
      optionText('permissionMode', 'acceptEdits'),
      optionText('tools', []),
    ]).toEqual(['extreme', 'Edit without asking', 'none']);
  });
});
