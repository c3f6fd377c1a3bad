import { knownCost } from './known-cost';

describe('what is known of a cost', () => {
  it.each([
    ['all of it, where every message had a price', '0.5', 0, { costUsd: '0.5', unpricedMessages: 0 }],
    ['nothing was spent, where there was no message', '0', 0, { costUsd: '0', unpricedMessages: 0 }],
    ['at least the priced part', '0.5', 2, { costUsd: '0.5', unpricedMessages: 2 }],
    ['nothing, where no message had a price', '0', 2, { costUsd: null, unpricedMessages: 2 }],
    ['nothing, however zero is written', '0.0000000000', 1, { costUsd: null, unpricedMessages: 1 }],
  ])('is %s', (_, pricedUsd, unpriced, known) => expect(knownCost(pricedUsd, unpriced)).toEqual(known));
});
