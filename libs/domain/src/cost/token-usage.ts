import type { TokenUsage } from '@chirality/contracts';

/** Token counts of one answer by price class. A cache write without a class belongs to `cacheWrite5mTokens`. */
export type PricedUsage = Omit<TokenUsage, 'cacheWriteTokens'> & {
  cacheWrite5mTokens: number;
  cacheWrite1hTokens: number;
  webSearches: number;
};

export const EMPTY_PRICED_USAGE: PricedUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  webSearches: 0,
};

/** The usage alone, of a record that also says other things. */
export function pricedUsageIn(record: PricedUsage): PricedUsage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, webSearches } = record;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, webSearches };
}

/** Counts that no price class is known of: their cache writes are taken as five-minute ones. */
export function toPricedUsage({ cacheWriteTokens, ...counts }: TokenUsage): PricedUsage {
  return { ...counts, cacheWrite5mTokens: cacheWriteTokens, cacheWrite1hTokens: 0, webSearches: 0 };
}

/** As people see them: cache writes in one figure, without the searches. */
export function toTokenUsage(usage: PricedUsage): TokenUsage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens } = usage;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: cacheWrite5mTokens + cacheWrite1hTokens };
}

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return combined(a, b, (x, y) => x + y);
}

/** What `a` has more than `b`; no count is below zero. */
export function subtractUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return combined(a, b, (x, y) => Math.max(0, x - y));
}

function combined(a: TokenUsage, b: TokenUsage, count: (x: number, y: number) => number): TokenUsage {
  return {
    inputTokens: count(a.inputTokens, b.inputTokens),
    outputTokens: count(a.outputTokens, b.outputTokens),
    cacheReadTokens: count(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: count(a.cacheWriteTokens, b.cacheWriteTokens),
  };
}
