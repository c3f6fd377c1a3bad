import { DEFAULT_PRICES, listModels } from '@chirality/domain';
import { choiceOf, modelChoices } from './model-choices';

const models = listModels(DEFAULT_PRICES, new Date('2026-11-29T00:00:00.000Z'));

describe('the models to choose from', () => {
  it('are the latest of each family and every version, with their prices, the newest first', () => {
    const { latest, versions } = modelChoices(models);
    expect(latest.map(({ value }) => value)).toEqual(['sonnet', 'opus', 'haiku', 'fable']);
    expect(latest[0]).toEqual({
      value: 'sonnet',
      name: 'Sonnet (latest), now Claude Sonnet 5.5',
      price: '$2 in, $10 out',
    });
    expect(versions).toHaveLength(models.length);
    expect(versions[0]?.name).toBe('Claude Sonnet 5.5');
    expect(versions.findIndex(({ value }) => value === 'claude-opus-5-5')).toBeLessThan(
      versions.findIndex(({ value }) => value === 'claude-opus-4-8'),
    );
  });

  it.each([
    ['opus', 'opus'],
    ['claude-haiku-4-5-20251001', 'claude-haiku-4-5'],
    ['best', 'claude-opus-5-5'],
    ['nothing-known', undefined],
  ])('hold what the option %s means', (option, value) => {
    expect(choiceOf(models, option)?.value).toBe(value);
  });
});
