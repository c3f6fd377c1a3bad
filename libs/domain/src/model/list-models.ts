import type { Model, Price } from '@chirality/contracts';
import { canonicalModel, findPrice, MODEL_FAMILIES } from '../cost/find-price';
import { DEFAULT_PRICES } from '../cost/default-prices';
import { PROGRAM_ALIASES, resolveModel } from './program-models';

const LONG_PROMPT = /^(.*?)\s*>\s*(\d{1,9})$/;

/** Whether options may name it: the program's own and every other one that has a price. */
export function isKnownModel(prices: readonly Price[], option: string, at: Date): boolean {
  return findPrice(prices, resolveModel(option), at) !== null;
}

/** Every model that has its own price today, by name. */
export function listModels(prices: readonly Price[], at: Date): Model[] {
  const names = new Set(
    prices.filter(({ model }) => !LONG_PROMPT.test(model)).map(({ model }) => canonicalModel(model)),
  );
  const families: readonly string[] = MODEL_FAMILIES;
  const own = new Set(DEFAULT_PRICES.map(({ model }) => canonicalModel(model)));
  return [...names].sort().flatMap((id): Model[] => {
    const price = families.includes(id) ? null : findPrice(prices, id, at);
    if (!price) return [];
    const aliases = Object.keys(PROGRAM_ALIASES).filter((alias) => resolveModel(alias) === id);
    return [
      {
        id,
        aliases,
        source: own.has(id) ? 'program' : 'prices',
        price,
        longPromptPrice: longPromptPrice(prices, id, at),
        contextTokens: null,
      },
    ];
  });
}

function longPromptPrice(prices: readonly Price[], id: string, at: Date): Model['longPromptPrice'] {
  for (const { model } of prices) {
    const [, name, above] = LONG_PROMPT.exec(model) ?? [];
    if (name === undefined || canonicalModel(name) !== id) continue;
    const price = findPrice(prices, id, at, Number(above) + 1);
    if (price) return { ...price, aboveTokens: Number(above) };
  }
  return null;
}
