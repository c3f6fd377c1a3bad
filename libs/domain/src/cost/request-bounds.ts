import type { Price } from '@chirality/contracts';
import { findPrice } from './find-price';
import { compareMoney, moneyToUnits } from './money';
import { costOfRequest } from './price-usage';
import { EMPTY_PRICED_USAGE, type PricedUsage } from './token-usage';

const CHARACTERS_PER_TOKEN = 4;
/** About what a picture or a page of a document takes, however many bytes it has. */
const TOKENS_PER_FILE = 2_000;
/** Where a request does not say how much may be answered. */
const DEFAULT_MAX_TOKENS = 32_000;
/** An answer that may be no longer than this is hardly worth its prompt. */
const MIN_ANSWER_TOKENS = 1_024;
/** The service takes no smaller allowance for thinking. */
const MIN_THINKING_TOKENS = 1_024;
const TOKENS_PER_PRICE = 1_000_000n;

/** What a request of the Messages API may cost, in US dollars, before it is sent. "0" where no price is known. */
export type RequestBounds = {
  model: string;
  /** Whether a price is known for it. */
  isPriced: boolean;
  /** Its prompt and all the answer that it allows. */
  mostUsd: string;
  /** Its prompt and the shortest answer that is worth asking for. */
  leastUsd: string;
  /** The request with so short an answer that it costs no more than that, which must be at least `leastUsd`. */
  within(grantedUsd: string): string;
};

type Body = Record<string, unknown>;

/**
 * The prompt counts four ASCII characters a token and every other character as one, at the price of writing all of it
 * to the cache where the request asks for that, for no cache may help.
 */
export function requestBounds(
  prices: readonly Price[],
  request: Readonly<Record<string, unknown>>,
  at: Date,
): RequestBounds {
  const model = typeof request['model'] === 'string' ? request['model'] : '';
  const prompt = promptOf(request);
  const cost = (outputTokens: number) =>
    costOfRequest(prices, { model, usage: { ...prompt, outputTokens }, at }).costUsd ?? '0';
  const asked = tokenCount(request['max_tokens']) ?? DEFAULT_MAX_TOKENS;
  const shortest = Math.min(asked, MIN_ANSWER_TOKENS + (thinkingTokens(request) === null ? 0 : MIN_THINKING_TOKENS));
  const mostUsd = cost(asked);
  return {
    model,
    isPriced: findPrice(prices, model, at) !== null,
    mostUsd,
    leastUsd: cost(shortest),
    within: (grantedUsd) => {
      const price = findPrice(
        prices,
        model,
        at,
        prompt.inputTokens + prompt.cacheWrite5mTokens + prompt.cacheWrite1hTokens,
      );
      const perToken = moneyToUnits(price?.output ?? '0');
      if (perToken <= 0n || compareMoney(grantedUsd, mostUsd) >= 0) return JSON.stringify(request);
      let fits = Number(((moneyToUnits(grantedUsd) - moneyToUnits(cost(0))) * TOKENS_PER_PRICE) / perToken);
      // A price is rounded once it is multiplied.
      while (fits > shortest && compareMoney(cost(fits), grantedUsd) > 0) fits -= 1;
      return JSON.stringify(shortened(request, Math.min(asked, Math.max(fits, shortest))));
    },
  };
}

/** The service refuses a request that may think as long as it may answer. */
function shortened(request: Body, maxTokens: number): Body {
  const thinking = thinkingTokens(request);
  if (thinking === null || thinking < maxTokens) return { ...request, max_tokens: maxTokens };
  const allowed = Math.max(MIN_THINKING_TOKENS, maxTokens - MIN_ANSWER_TOKENS);
  return { ...request, max_tokens: maxTokens, thinking: { ...(request['thinking'] as Body), budget_tokens: allowed } };
}

/** How long a request may think, where it says so in tokens. */
function thinkingTokens(request: Body): number | null {
  const { thinking } = request;
  return isObject(thinking) && thinking['type'] === 'enabled' ? tokenCount(thinking['budget_tokens']) : null;
}

function promptOf(request: Body): PricedUsage {
  const prompt = { tokens: 0, cached: false, cachedLong: false };
  measure(request, prompt);
  const tokens = Math.ceil(prompt.tokens);
  if (prompt.cachedLong) return { ...EMPTY_PRICED_USAGE, cacheWrite1hTokens: tokens };
  return prompt.cached
    ? { ...EMPTY_PRICED_USAGE, cacheWrite5mTokens: tokens }
    : { ...EMPTY_PRICED_USAGE, inputTokens: tokens };
}

function measure(value: unknown, so: { tokens: number; cached: boolean; cachedLong: boolean }): void {
  if (typeof value === 'string') so.tokens += tokensOfText(value);
  else if (typeof value === 'number' || typeof value === 'boolean') so.tokens += 1;
  else if (Array.isArray(value)) for (const member of value) measure(member, so);
  else if (isObject(value)) {
    if (value['type'] === 'base64') so.tokens += TOKENS_PER_FILE;
    else
      for (const [name, member] of Object.entries(value)) {
        so.tokens += tokensOfText(name);
        if (name === 'cache_control' && isObject(member)) {
          so.cached = true;
          so.cachedLong ||= member['ttl'] === '1h';
        }
        measure(member, so);
      }
  }
}

/** About how many tokens a text is: four ASCII characters a token, every other character one. */
export function tokensOfText(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) others += 1;
  return others + (text.length - others) / CHARACTERS_PER_TOKEN;
}

function tokenCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
