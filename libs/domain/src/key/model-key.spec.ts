import { modelKeyFault, modelKeyHint } from './model-key';

const KEY = `sk-ant-api03-${'aB3_-'.repeat(16)}`;

describe('the form of a key', () => {
  it('is that of Anthropic’s where that is the service, and wider elsewhere', () => {
    expect(modelKeyFault(KEY, { anthropic: true })).toBeNull();
    expect(modelKeyFault('proxy-key-of-the-house', { anthropic: true })).toMatch('sk-ant-');
    expect(modelKeyFault('proxy-key-of-the-house', { anthropic: false })).toBeNull();
  });

  it.each([
    ['a token of a subscription', `sk-ant-oat01-${'x'.repeat(40)}`],
    ['an admin key', `sk-ant-admin01-${'x'.repeat(40)}`],
    ['a token of a turn', `chirality-turn-${'x'.repeat(40)}`],
    ['something short', 'sk-ant-123'],
    ['something with a space', `sk-ant-api03-${'x'.repeat(20)} ${'y'.repeat(20)}`],
    ['something with a line break, which a header cannot carry', `sk-ant-api03-${'x'.repeat(20)}\nx-other: 1`],
    ['something with letters that a header cannot carry', `sk-ant-api03-${'ü'.repeat(40)}`],
    ['something endless', `sk-ant-api03-${'x'.repeat(600)}`],
  ])('is not %s; and what is refused is not quoted', (_what, value) => {
    for (const anthropic of [true, false]) {
      const fault = modelKeyFault(value, { anthropic });
      expect(fault).not.toBeNull();
      expect(fault ?? '').not.toContain(value.slice(8));
    }
  });

  it('shows its end only where that tells nothing', () => {
    expect(modelKeyHint(KEY)).toBe('B3_-');
    expect(modelKeyHint('short-key-of-house')).toBeNull();
  });
});
