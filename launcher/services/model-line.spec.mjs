import { modelLine } from './model-line.mjs';

describe('what a start says of the model', () => {
  const KEY = 'sk-ant-not-to-be-printed';
  /** @type {[NodeJS.ProcessEnv, RegExp][]} */
  const cases = [
    [{}, /^No API key was found .* the demo model answers/],
    [{ ANTHROPIC_API_KEY: ' ' }, /^No API key was found/],
    [{ ANTHROPIC_API_KEY: KEY }, /^Claude answers, with the key in ANTHROPIC_API_KEY\.$/],
    [{ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'http://a' }, /^Claude answers at ANTHROPIC_BASE_URL, with the key/],
    [{ ANTHROPIC_BASE_URL: 'http://a' }, /without a key/],
  ];
  it.each(cases)('of %j', (env, sentence) => {
    expect(modelLine(env)).toMatch(sentence);
    expect(modelLine(env)).not.toContain(KEY);
  });
});
