import type { TokenUsage } from '@chirality/contracts';
import fc from 'fast-check';
import { addUsage, pricedUsageIn, subtractUsage, toPricedUsage, toTokenUsage } from './token-usage';

const count = fc.nat({ max: 1_000_000 });
const usage: fc.Arbitrary<TokenUsage> = fc.record({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
});

describe('token counts', () => {
  it('lose nothing on their way to price classes and back', () => {
    fc.assert(fc.property(usage, (counts) => expect(toTokenUsage(toPricedUsage(counts))).toEqual(counts)));
  });

  it('show both classes of cache writes as one, without the searches', () => {
    const priced = { ...toPricedUsage(zero()), cacheWrite5mTokens: 2, cacheWrite1hTokens: 3, webSearches: 4 };
    expect(toTokenUsage(priced)).toEqual({ ...zero(), cacheWriteTokens: 5 });
  });

  it('subtract to what was added, and never to less than nothing', () => {
    fc.assert(
      fc.property(usage, usage, (a, b) => {
        expect(subtractUsage(addUsage(a, b), b)).toEqual(a);
        expect(Object.values(subtractUsage(a, addUsage(a, b)))).toEqual([0, 0, 0, 0]);
      }),
    );
  });

  it('are taken out of a record without what else it says', () => {
    const record = { ...toPricedUsage(zero()), model: 'claude-test-1' };
    expect(pricedUsageIn(record)).toEqual(toPricedUsage(zero()));
  });
});

function zero(): TokenUsage {
  return { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
}
