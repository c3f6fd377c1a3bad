import { DEFAULT_PRICES, findPrice } from '../cost';
import { mayAskModel, PROGRAM_ALIASES, resolveModel } from './program-models';

describe('models that a turn may ask for', () => {
  it.each([
    ['sonnet', 'claude-sonnet-5-5'],
    ['sonnet[1m]', 'claude-sonnet-5-5'],
    ['opus', 'claude-opus-5-5'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5[1m]', 'claude-sonnet-4-5'],
    ['our-own-model', 'our-own-model'],
    ['opus', 'claude-haiku-5-5'],
  ])('%s allows %s', (option, asked) => expect(mayAskModel(option, asked)).toBe(true));

  it.each([
    ['sonnet', 'claude-opus-5-5'],
    ['sonnet', 'claude-sonnet-4-5'],
    ['haiku', 'claude-sonnet-5-5'],
    ['claude-sonnet-4-5', 'claude-sonnet-4'],
    ['sonnet', 'constructor'],
    ['constructor', 'claude-opus-5-5'],
  ])('%s does not allow %s', (option, asked) => expect(mayAskModel(option, asked)).toBe(false));

  it('every name of the program stands for a model with a price', () => {
    for (const alias of Object.keys(PROGRAM_ALIASES))
      expect(findPrice(DEFAULT_PRICES, resolveModel(alias), new Date())?.model).toBe(resolveModel(alias));
  });
});
