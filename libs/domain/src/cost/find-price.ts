import type { Price } from '@chirality/contracts';

export const MODEL_FAMILIES = ['opus', 'sonnet', 'haiku'] as const;
export type ModelFamily = (typeof MODEL_FAMILIES)[number];

/** The family that a model's name speaks of, or null. */
export function modelFamily(model: string): ModelFamily | null {
  const name = model.toLowerCase();
  return MODEL_FAMILIES.find((family) => name.includes(family)) ?? null;
}

/**
 * The price in force at `at` for that model: of its own row, else of its family's, else null, which means
 * "costs nothing and must be flagged". A row applies from its `effectiveFrom` on.
 */
export function findPrice(prices: readonly Price[], model: string, at: Date): Price | null {
  const name = canonicalModel(model);
  const family = modelFamily(model);
  return newestOf(prices, name, at) ?? (family ? newestOf(prices, family, at) : null);
}

/** A model's name without provider prefix, context-window suffix, version tag and date. */
export function canonicalModel(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*?(?=claude-)/, '')
    .replace(/\[[^\]]*\]$/, '')
    .replace(/(?:-v\d+(?::\d+)?|@[\w-]+)$/, '')
    .replace(/-\d{8}$/, '');
}

function newestOf(prices: readonly Price[], model: string, at: Date): Price | null {
  const time = at.toISOString();
  let newest: Price | null = null;
  for (const price of prices) {
    if (canonicalModel(price.model) !== model || price.effectiveFrom > time) continue;
    if (!newest || price.effectiveFrom > newest.effectiveFrom) newest = price;
  }
  return newest;
}
