import { MAX_TOKEN_COUNT } from '@chirality/contracts';
import { EMPTY_PRICED_USAGE } from '@chirality/domain';
import type { MessageUsage } from '../gateway.types';

/** The usage that a whole message, or its `message_start`, reports; null when it does not look like one. */
export function readMessage(message: unknown): MessageUsage | null {
  if (!isRecord(message) || typeof message['model'] !== 'string') return null;
  const start: MessageUsage = {
    apiMessageId: typeof message['id'] === 'string' ? message['id'] : null,
    model: message['model'],
    ...EMPTY_PRICED_USAGE,
  };
  return mergeUsage(start, message['usage']);
}

/** The service's counts are cumulative: each one that it reports replaces the last, one that it omits stays. */
export function mergeUsage(so: MessageUsage, told: unknown): MessageUsage {
  if (!isRecord(told)) return so;
  const tools = isRecord(told['server_tool_use']) ? told['server_tool_use'] : {};
  return {
    ...so,
    inputTokens: count(told['input_tokens']) ?? so.inputTokens,
    outputTokens: count(told['output_tokens']) ?? so.outputTokens,
    cacheReadTokens: count(told['cache_read_input_tokens']) ?? so.cacheReadTokens,
    ...cacheWrites(so, told),
    webSearches: count(tools['web_search_requests']) ?? so.webSearches,
  };
}

/** A total without a split is taken as five-minute writes, what the split before it does not account for. */
function cacheWrites(
  so: MessageUsage,
  told: Record<string, unknown>,
): Pick<MessageUsage, 'cacheWrite5mTokens' | 'cacheWrite1hTokens'> {
  const split = isRecord(told['cache_creation']) ? told['cache_creation'] : {};
  const oneHour = count(split['ephemeral_1h_input_tokens']) ?? so.cacheWrite1hTokens;
  const fiveMinutes = count(split['ephemeral_5m_input_tokens']);
  if (fiveMinutes !== null) return { cacheWrite5mTokens: fiveMinutes, cacheWrite1hTokens: oneHour };
  const total = count(told['cache_creation_input_tokens']);
  return {
    cacheWrite5mTokens: total === null ? so.cacheWrite5mTokens : Math.max(0, total - oneHour),
    cacheWrite1hTokens: oneHour,
  };
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKEN_COUNT ? value : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
