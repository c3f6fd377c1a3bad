import type { Price } from '@chirality/contracts';
import { findPrice, promptTokens } from './find-price';
import { moneyToUnits, unitsToMoney } from './money';
import type { PricedUsage } from './token-usage';

const TOKENS_PER_PRICE = 1_000_000n;

/**
 * What the usage costs in US dollars. Exact for prices of up to four digits after the point; beyond that rounded once,
 * half up, to 10⁻¹⁰ dollars.
 */
export function priceUsage(usage: PricedUsage, price: Price): string {
  const perMillion =
    BigInt(usage.inputTokens) * moneyToUnits(price.input) +
    BigInt(usage.outputTokens) * moneyToUnits(price.output) +
    BigInt(usage.cacheReadTokens) * moneyToUnits(price.cacheRead) +
    BigInt(usage.cacheWrite5mTokens) * moneyToUnits(price.cacheWrite5m) +
    BigInt(usage.cacheWrite1hTokens) * moneyToUnits(price.cacheWrite1h);
  const searches = BigInt(usage.webSearches) * moneyToUnits(price.webSearch);
  return unitsToMoney((perMillion + TOKENS_PER_PRICE / 2n) / TOKENS_PER_PRICE + searches);
}

/** What one request costs by a table of prices, and the row that said so. Both null where the model has none: unknown, which is not free. */
export function costOfRequest(
  prices: readonly Price[],
  request: { model: string; usage: PricedUsage; at: Date },
): { costUsd: string | null; price: Price | null } {
  const price = findPrice(prices, request.model, request.at, promptTokens(request.usage));
  return { costUsd: price && priceUsage(request.usage, price), price };
}
