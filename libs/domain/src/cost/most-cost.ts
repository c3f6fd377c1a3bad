import type { Price } from '@chirality/contracts';
import { EMPTY_PRICED_USAGE, costOfRequest } from './price-usage';

const CHARACTERS_PER_TOKEN = 4;
/** About what a picture or a page of a document takes, however many bytes it has. */
const TOKENS_PER_FILE = 2_000;
/** Where a request does not say how much may be answered. */
const DEFAULT_MAX_TOKENS = 32_000;

/**
 * The most that a request of the Messages API may cost, in US dollars: its prompt at four characters a token, at the price
 * of a prompt that no cache helps with, and as many output tokens as it allows. "0" where no price is known. A body that
 * is no JSON is taken as text.
 */
export function mostCostOfRequest(prices: readonly Price[], body: string, at: Date): string {
  const request = parse(body);
  const model = typeof request['model'] === 'string' ? request['model'] : '';
  const allowed = request['max_tokens'];
  const outputTokens = typeof allowed === 'number' && Number.isSafeInteger(allowed) && allowed >= 0 ? allowed : DEFAULT_MAX_TOKENS;
  const inputTokens = Math.ceil(tokensOf(request));
  return costOfRequest(prices, { model, usage: { ...EMPTY_PRICED_USAGE, inputTokens, outputTokens }, at }).costUsd;
}

function parse(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { text: body };
  } catch {
    return { text: body };
  }
}

function tokensOf(value: unknown): number {
  if (typeof value === 'string') return value.length / CHARACTERS_PER_TOKEN;
  if (typeof value === 'number' || typeof value === 'boolean') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  if ((value as Record<string, unknown>)['type'] === 'base64') return TOKENS_PER_FILE;
  let tokens = 0;
  for (const [name, member] of Object.entries(value)) tokens += (Array.isArray(value) ? 0 : name.length / CHARACTERS_PER_TOKEN) + tokensOf(member);
  return tokens;
}
