import { DEFAULT_PRICES } from '../cost';
import { isKnownModel, listModels } from './list-models';

const now = new Date('2026-11-28T00:00:00Z');
const own = {
  model: 'our-own-model',
  effectiveFrom: '2026-01-01T00:00:00.000Z',
  input: '1',
  output: '2',
  cacheRead: '0.1',
  cacheWrite5m: '1.25',
  cacheWrite1h: '2',
  webSearch: '0',
};

describe('the models that options may name', () => {
  it('are the program’s own, with its names for them, and those that were given a price', () => {
    const models = listModels(
      [...DEFAULT_PRICES, own, { ...own, model: 'a-later-one', effectiveFrom: '2027-01-01T00:00:00.000Z' }],
      now,
    );
    expect(models.find(({ id }) => id === 'claude-sonnet-5-5')).toMatchObject({
      aliases: ['sonnet'],
      source: 'program',
      price: { input: '2' },
      longPromptPrice: null,
    });
    expect(models.find(({ id }) => id === 'claude-haiku-5-5')).toMatchObject({
      price: { input: '0.1' },
      longPromptPrice: { aboveTokens: 100_000, input: '0.5' },
    });
    expect(models.find(({ id }) => id === 'our-own-model')).toMatchObject({
      aliases: [],
      source: 'prices',
      price: { output: '2' },
    });
    const ids = models.map(({ id }) => id);
    expect([new Set(ids).size, ids.includes('sonnet'), ids.includes('a-later-one')]).toEqual([
      ids.length,
      false,
      false,
    ]);
  });

  it('are known by every name that has a price, and by no other', () => {
    const known = (name: string) => isKnownModel([...DEFAULT_PRICES, own], name, now);
    expect(['sonnet', 'best', 'sonnet[1m]', 'claude-sonnet-4-5-20250929', 'our-own-model'].map(known)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['claude-totally-new-9', 'gpt', 'constructor'].map(known)).toEqual([false, false, false]);
  });
});
