import { costHint, costText, isFree } from './cost';

describe('a cost on the screen', () => {
  it.each([
    ['$0.25', { costUsd: '0.25', unpricedMessages: 0 }],
    ['$0', { costUsd: '0', unpricedMessages: 0 }],
    ['$0.25 (estimated)', { costUsd: '0.25', unpricedMessages: 0, isEstimated: true }],
    ['at least $0.25', { costUsd: '0.25', unpricedMessages: 1 }],
    ['unknown', { costUsd: null, unpricedMessages: 2 }],
  ])('reads "%s"', (text, cost) => expect(costText(cost)).toBe(text));

  it('says what is missing from it and why it is not certain', () => {
    expect(costHint({ costUsd: null, unpricedMessages: 1 })).toBe(
      '1 message of models without a price is not included.',
    );
    expect(costHint({ costUsd: '0.25', unpricedMessages: 2, isEstimated: true })).toMatch(
      /^\$0\.25 · 2 messages .* · An answer was cut off/,
    );
  });

  it('is free only where it is known to be', () => {
    expect([isFree({ costUsd: '0', unpricedMessages: 0 }), isFree({ costUsd: null, unpricedMessages: 1 })]).toEqual([
      true,
      false,
    ]);
  });
});
