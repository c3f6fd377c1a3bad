import { changedOptions, limitsOf, optionsOfForm } from './options-of-form';

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

describe('options after a form was filled in', () => {
  it('are what it says, without what was emptied, beside those that it does not ask for', () => {
    const before = { model: 'opus', effort: 'low', tools: ['Read'], maxTurns: 5 } as const;
    const after = changedOptions(
      { ...before, tools: ['Read'] },
      form({ model: ' claude-haiku-5-5 ', effort: '', permissionMode: 'plan', maxTurns: '9', maxBudgetUsd: '2.50' }),
    );
    expect(after).toEqual({
      model: 'claude-haiku-5-5',
      permissionMode: 'plan',
      maxTurns: 9,
      maxBudgetUsd: '2.50',
      tools: ['Read'],
    });
  });

  it('keep what another person changed while the form was open', () => {
    const after = changedOptions({ model: 'haiku', effort: 'max' }, form({ model: 'opus', maxTurns: '7' }), {
      model: 'opus',
    });
    expect(after).toEqual({ model: 'haiku', effort: 'max', maxTurns: 7 });
  });

  it('keep the limit that another admin set while the form was open', () => {
    const after = changedOptions({ maxTurns: 40, timeoutMs: 60_000 }, form({ maxTurns: '30', timeoutMs: '' }), {
      maxTurns: 40,
    });
    expect(limitsOf(after)).toEqual({ maxTurns: 30, timeoutMs: 60_000 });
    expect(limitsOf(changedOptions({ maxTurns: 40, model: 'opus' }, form({ model: 'opus' })))).toEqual({});
  });

  it('take times in minutes and leave those that were not changed as they were', () => {
    expect(optionsOfForm(form({ timeoutMs: ' 30 ' }))).toEqual({ timeoutMs: 1_800_000 });
    for (const timeoutMs of [1_000, 12_345, 86_399_999])
      expect(changedOptions({ timeoutMs }, form({ timeoutMs: String(timeoutMs / 60_000) }))).toEqual({ timeoutMs });
    expect(changedOptions({ timeoutMs: 90_000 }, form({ timeoutMs: '' }))).toEqual({});
  });
});
