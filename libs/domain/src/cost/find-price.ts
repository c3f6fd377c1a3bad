import type { Price } from '@chirality/contracts';
import type { PricedUsage } from './token-usage';

export const MODEL_FAMILIES = ['opus', 'sonnet', 'haiku', 'fable', 'mythos'] as const;
type ModelFamily = (typeof MODEL_FAMILIES)[number];

/** The family that a model's name speaks of, or null. */
export function modelFamily(model: string): ModelFamily | null {
  const name = model.toLowerCase();
  return MODEL_FAMILIES.find((family) => name.includes(family)) ?? null;
}

/** Everything of a request that the model read: what decides whether the price for long prompts applies. */
export function promptTokens(usage: PricedUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
}

/**
 * The price in force at `at` for a request of that model with a prompt of so many tokens: the model's own, else its
 * family's, else null, which means "costs nothing and must be flagged". A row applies from its `effectiveFrom` on, and
 * a row whose model ends in ` >N` only to prompts of more than N tokens, which it then decides alone.
 */
export function findPrice(prices: readonly Price[], model: string, at: Date, prompt = 0): Price | null {
  const family = modelFamily(model);
  return rowFor(prices, canonicalModel(model), at, prompt) ?? (family ? rowFor(prices, family, at, prompt) : null);
}

/** A model's name without provider prefix, context-window suffix, version tag, date and "latest". */
export function canonicalModel(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*?(?=claude-)/, '')
    .replace(/\[[^\]]*\]$/, '')
    .replace(/(?:-v\d+(?::\d+)?|@[\w-]+)$/, '')
    .replace(/-(?:\d{8}|latest)$/, '');
}

const PRICED_MODEL = /^(.*?)(?:\s*>\s*(\d{1,9}))?$/;

function rowFor(prices: readonly Price[], model: string, at: Date, prompt: number): Price | null {
  const time = at.toISOString();
  let best: { price: Price; above: number } | null = null;
  for (const price of prices) {
    const [, name = '', limit] = PRICED_MODEL.exec(price.model) ?? [];
    const above = limit === undefined ? -1 : Number(limit);
    if (canonicalModel(name) !== model || price.effectiveFrom > time || prompt <= above) continue;
    const isBetter =
      !best || above > best.above || (above === best.above && price.effectiveFrom > best.price.effectiveFrom);
    if (isBetter) best = { price, above };
  }
  return best?.price ?? null;
}
