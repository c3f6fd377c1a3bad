import type { Price } from '@chirality/contracts';
import fc from 'fast-check';
import { findPrice, modelFamily } from './find-price';
import { moneyToUnits, sumMoney } from './money';
import { EMPTY_PRICED_USAGE, priceUsage, type PricedUsage } from './price-usage';

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
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, inputTokens: 3, cacheWrite5mTokens: 12_304, outputTokens: 550 }, price)).toBe('0.054399');
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, cacheWrite5mTokens: 1_000_000 }, price)).toBe('3.75');
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, cacheWrite1hTokens: 1_000_000 }, price)).toBe('6');
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, cacheReadTokens: 1 }, price)).toBe('0.0000003');
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, webSearches: 7 }, price)).toBe('0.07');
  });

  it('is exact: the price of the whole is the sum of the prices of its parts', () => {
    fc.assert(
      fc.property(usage, usage, (a, b) => {
        const both = Object.fromEntries(Object.entries(a).map(([key, count]) => [key, count + b[key as keyof PricedUsage]])) as PricedUsage;
        expect(priceUsage(both, price)).toBe(sumMoney([priceUsage(a, price), priceUsage(b, price)]));
      }),
    );
  });

  it('rounds once, half up, where a price has more digits than can be kept', () => {
    const fine = { ...price, input: '0.00005' };
    expect(moneyToUnits(priceUsage({ ...EMPTY_PRICED_USAGE, inputTokens: 1 }, fine))).toBe(1n);
    expect(moneyToUnits(priceUsage({ ...EMPTY_PRICED_USAGE, inputTokens: 3 }, fine))).toBe(2n);
  });

  it('costs nothing where no price is known', () => {
    expect(priceUsage({ ...EMPTY_PRICED_USAGE, inputTokens: 10 }, null)).toBe('0');
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

  it.each(['claude-test-1-20250514', 'claude-test-1[1m]', 'us.anthropic.claude-test-1-20250514-v1:0', 'anthropic/claude-test-1', 'claude-test-1@20250514', 'CLAUDE-TEST-1'])('knows %s by its model', (name) => {
    expect(findPrice(prices, name, at)).toBe(price);
  });

  it('falls back to the family that a name speaks of, else to none', () => {
    expect(findPrice(prices, 'claude-sonnet-99', at)).toBe(family);
    expect(findPrice(prices, 'claude-opus-99', at)).toBeNull();
    expect(findPrice(prices, 'gpt-5', at)).toBeNull();
    expect(modelFamily('Claude-HAIKU-9')).toBe('haiku');
  });
});
