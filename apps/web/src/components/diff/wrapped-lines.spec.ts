import { WrappedLines } from './wrapped-lines';

describe('wrapping the lines of diffs', () => {
  it('is off at first, and stays as it was chosen in this browser', () => {
    const kept = new Map<string, string>();
    const store = {
      get: (key: string) => kept.get(key) ?? null,
      set: (key: string, value: string) => kept.set(key, value).has(key),
    };
    const lines = new WrappedLines(store);
    expect(lines.isOn.get()).toBe(false);
    lines.choose(true);
    expect([lines.isOn.get(), new WrappedLines(store).isOn.get()]).toEqual([true, true]);
    lines.choose(false);
    expect([lines.isOn.get(), new WrappedLines(store).isOn.get()]).toEqual([false, false]);
  });
});
