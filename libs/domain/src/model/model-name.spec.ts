import { modelName } from './model-name';

describe('the name of a model', () => {
  it.each([
    ['sonnet', 'Sonnet (latest)'],
    ['claude-sonnet-5-5', 'Claude Sonnet 5.5'],
    ['claude-haiku-4-5-20251001', 'Claude Haiku 4.5'],
    ['us.anthropic.claude-opus-4-1-20250805-v1:0', 'Claude Opus 4.1'],
    ['claude-3-7-sonnet', 'Claude Sonnet 3.7'],
    ['claude-opus-5', 'Claude Opus 5'],
    ['house-model:7b', 'house-model:7b'],
  ])('of %s is %s', (option, name) => {
    expect(modelName(option)).toBe(name);
  });
});
