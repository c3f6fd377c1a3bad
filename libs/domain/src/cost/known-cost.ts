/** An amount of US dollars and how many messages are missing from it because their model had no price. */
type KnownCost = { costUsd: string | null; unpricedMessages: number };

/**
 * What is known of a cost, for people and clients: the sum of what had a price, which is "at least" while messages are
 * missing from it, and null where all that is known is that there was something to pay for.
 */
export function knownCost(pricedUsd: string, unpricedMessages: number): KnownCost {
  return { costUsd: unpricedMessages > 0 && /^-?0(\.0*)?$/.test(pricedUsd) ? null : pricedUsd, unpricedMessages };
}
