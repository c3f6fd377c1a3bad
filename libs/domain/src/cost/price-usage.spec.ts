import type { Price } from '@chirality/contracts';
import fc from 'fast-check';
import { DEFAULT_PRICES } from './default-prices';
import { findPrice, modelFamily } from './find-price';
import { moneyToUnits, sumMoney } from './money';
import { costOfRequest, priceUsage } from './price-usage';
import { EMPTY_PRICED_USAGE, type PricedUsage } from './token-usage';

const price: Price = {
  model: 'claude-test-1',
  effectiveFrom: '2025-01-01T00:00:00.000Z',
  input: '3',
  output: '15',
  cacheRead: '0.3',
  cacheWrite5m: '3.75',
  cacheWrite1h: '6',
  webSearch: '0.01',
};
const tokens = fc.nat(10_000_000);
const usage: fc.Arbitrary<PricedUsage> = fc.record({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWrite5mTokens: tokens,
  cacheWrite1hTokens: tokens,
  webSearches: fc.nat(100),
});

describe('pricing usage', () => {
  it('counts every class once, at its own price', () => {
    expect(
      priceUsage({ ...EMPTY_PRICED_USAGE, inputTokens: 3, cacheWrite5mTokens: 12_304, outputTokens: 550 }, price),
    ).toBe('0.054399');
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, cacheWrite5mTokens: 1_000_000 }, price)).toBe('3.75');
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, cacheWrite1hTokens: 1_000_000 }, price)).toBe('6');
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, cacheReadTokens: 1 }, price)).toBe('0.0000003');
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, webSearches: 7 }, price)).toBe('0.07');
  });

  it('is exact: the price of the whole is the sum of the prices of its parts', () => {
    fc.assert(
      fc.property(usage, usage, (a, b) => {
        const both = Object.fromEntries(
          Object.entries(a).map(([key, count]) => [key, count + b[key as keyof PricedUsage]]),
        ) as PricedUsage;
        expect(priceUsage(both, price)).toBe(sumMoney([priceUsage(a, price), priceUsage(b, price)]));
      }),
    );
  });

  it('rounds once, half up, where a price has more digits than can be kept', () => {
    const fine = { ...price, input: '0.00005' };
    expect(moneyToUnits(priceUsage({ ...EMPTY_PRICED_USAGE, inputTokens: 1 }, fine))).toBe(1n);
    expect(moneyToUnits(priceUsage({ ...EMPTY_PRICED_USAGE, inputTokens: 3 }, fine))).toBe(2n);
  });

  it('is unknown, and not nothing, where no price is known', () => {
    expect(
      costOfRequest([price], { model: 'made-up', usage: { ...EMPTY_PRICED_USAGE, inputTokens: 10 }, at: new Date() }),
    ).toEqual({ costUsd: null, price: null });
  });
});

describe('finding a price', () => {
  const later = { ...price, effectiveFrom: '2026-01-01T00:00:00.000Z', input: '2' };
  const family = { ...price, model: 'sonnet', input: '9' };
  const prices = [later, price, family];
  const at = new Date('2025-06-01T00:00:00Z');

  it('takes the newest row in force at that moment', () => {
    expect(findPrice(prices, 'claude-test-1', at)).toBe(price);
    expect(findPrice(prices, 'claude-test-1', new Date('2026-01-01T00:00:00Z'))).toBe(later);
    expect(findPrice(prices, 'claude-test-1', new Date('2024-12-31T23:59:59.999Z'))).toBeNull();
  });

  it.each([
    'claude-test-1-20250514',
    'claude-test-1[1m]',
    'us.anthropic.claude-test-1-20250514-v1:0',
    'anthropic/claude-test-1',
    'claude-test-1@20250514',
    'CLAUDE-TEST-1',
  ])('knows %s by its model', (name) => {
    expect(findPrice(prices, name, at)).toBe(price);
  });

  it('falls back to the family that a name speaks of, else to none', () => {
    expect(findPrice(prices, 'claude-sonnet-99', at)).toBe(family);
    expect(findPrice(prices, 'claude-opus-99', at)).toBeNull();
    expect(findPrice(prices, 'gpt-5', at)).toBeNull();
    expect(modelFamily('Claude-HAIKU-9')).toBe('haiku');
  });

  it('takes the price for long prompts when the whole prompt is longer, cached or not', () => {
    const long = { ...price, model: 'claude-test-1 >100000', input: '6' };
    const table = [price, long];
    const costOf = (over: Partial<PricedUsage>): string | undefined =>
      costOfRequest(table, { model: 'claude-test-1', usage: { ...EMPTY_PRICED_USAGE, ...over }, at }).price?.input;
    expect(costOf({ inputTokens: 100_000 })).toBe('3');
    expect(costOf({ inputTokens: 100_001 })).toBe('6');
    expect(costOf({ inputTokens: 1, cacheReadTokens: 50_000, cacheWrite5mTokens: 50_000 })).toBe('6');
    expect(costOf({ outputTokens: 500_000 })).toBe('3');
  });
});

describe('the default prices', () => {
  it('cost what the program reports for an older model that has its own price', () => {
    const own = findPrice(DEFAULT_PRICES, 'claude-opus-4-1-20250805', new Date());
    expect(
      own &&
        priceUsage(
          { ...EMPTY_PRICED_USAGE, inputTokens: 12, outputTokens: 8, cacheReadTokens: 100, cacheWrite5mTokens: 50 },
          own,
        ),
    ).toBe('0.0018675');
  });

  it('know every family, and each model once for each length of prompt', () => {
    for (const model of ['opus', 'sonnet', 'haiku', 'fable', 'mythos'])
      expect(findPrice(DEFAULT_PRICES, `claude-${model}-99`, new Date())?.model).toBe(model);
    expect(new Set(DEFAULT_PRICES.map((row) => row.model)).size).toBe(DEFAULT_PRICES.length);
  });

  it.each([
    ['claude-haiku-5-5', { inputTokens: 50_000, cacheReadTokens: 50_000 }, '0.0055'],
    ['claude-haiku-5-5', { inputTokens: 50_000, cacheReadTokens: 50_001 }, '0.02750005'],
    ['claude-opus-5-5', { inputTokens: 900_000, outputTokens: 10_000 }, '3.8'],
    ['claude-sonnet-4-6', { cacheWrite5mTokens: 100_000 }, '0.375'],
    ['claude-3-7-sonnet-latest', { cacheWrite1hTokens: 100_000 }, '0.6'],
    ['claude-haiku-4-5-20251001', { webSearches: 10 }, '0.1'],
  ])('give for %s and %j what the program reports', (model, over, costUsd) => {
    expect(
      costOfRequest(DEFAULT_PRICES, { model, usage: { ...EMPTY_PRICED_USAGE, ...over }, at: new Date() }).costUsd,
    ).toBe(costUsd);
  });
});
