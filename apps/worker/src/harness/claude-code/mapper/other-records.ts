import { boundDepth } from '../records/bounded-json';
import { asCount, asName, asNumber, asObject, asText, type JsonObject } from '../records/json';
import type { Handler } from './mapper-state';
import { sayProgress } from './tools';

export const acceptControlRequest: Handler = (context, record) => {
  const requestId = asName(record['request_id']);
  const request = asObject(record['request']);
  if (requestId === null || !request) return context.ignore('control_request:without id or body');
  context.put({ type: 'control-request', requestId, request: { ...asObject(boundDepth(request)) } });
};

export const acceptControlResponse: Handler = (context, record) => {
  const response = asObject(record['response']);
  const requestId = asName(response?.['request_id']);
  if (!response || requestId === null) return context.ignore('control_response:without id');
  const answer =
    response['subtype'] === 'error'
      ? { ok: false as const, error: asText(response['error']) ?? 'refused' }
      : { ok: true as const, response: { ...asObject(boundDepth(response['response'])) } };
  context.put({ type: 'control-response', requestId, answer });
};

export const acceptControlCancel: Handler = (context, record) => {
  const requestId = asName(record['request_id']);
  if (requestId === null) return context.ignore('control_cancel_request:without id');
  context.put({ type: 'control-cancel', requestId });
};

/** The program forgets the conversation: its next `init` names another session, and its totals begin again. */
export const acceptConversationReset: Handler = (context) => {
  context.conversation.expectedSessionId = null;
  context.conversation.cost.restartTotals();
  context.conversation.todos.clear();
  context.notice('info', 'CONVERSATION_RESET', 'The conversation was cleared and starts over.');
};

/** Only a limit that was reached, or is near, matters. */
export const acceptRateLimit: Handler = (context, record) => {
  const info: JsonObject = asObject(record['rate_limit_info']) ?? record;
  const status = asText(info['status']) ?? '';
  if (status === '' || status === 'allowed') return;
  const resetsAt = resetTime(info['resetsAt'] ?? info['resets_at'] ?? info['reset_at']);
  const until = resetsAt === null ? '' : ` It resets at ${resetsAt}.`;
  const reached = status === 'rejected';
  const text = reached ? 'The limit of the model’s service is reached.' : 'The limit of the model’s service is near.';
  context.notice(reached ? 'error' : 'warning', 'RATE_LIMIT', `${text}${until}`);
};

/** Seconds or milliseconds since 1970, or a text that is passed on. */
function resetTime(value: unknown): string | null {
  const number = asNumber(value);
  if (number === null) return asName(value)?.slice(0, 100) ?? null;
  const date = new Date(number < 1e11 ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

export const acceptToolProgress: Handler = (context, record) => {
  const toolUseId = asName(record['tool_use_id']);
  const seconds = asNumber(record['elapsed_time_seconds']);
  if (toolUseId !== null && seconds !== null) sayProgress(context, toolUseId, { elapsedMs: asCount(seconds * 1000) });
};
