import type { IncomingHttpHeaders } from 'node:http';
import { mayAskModel } from '@chirality/domain';
import { customTool, messagesWith, systemPrompt } from './check-content';
import {
  checkFields,
  fieldsOf,
  isBoolean,
  isData,
  isNumber,
  isText,
  listOf,
  objectAt,
  oneOf,
  orNull,
  refuseValue,
  type Check,
} from './fields';
import { parseBody, type JsonObject } from './parse-body';
import { RequestRefused, shownName } from './request-refused';

/** What the options of a turn and the switches of its project let its requests ask for. */
export interface RequestAllowance {
  /** The model of the turn, as its options name it; null: any. */
  model: string | null;
  webSearch: boolean;
}

/** A request of which every part was looked at. */
export interface CheckedRequest {
  fields: JsonObject;
  model: string;
  /** What is sent on: written from `fields`, so that no reader can find anything else in it. The same for the same request. */
  bytes: Buffer;
}

/** Features of the service that the program asks for, as its requests were seen to (`npm run fidelity` compares). */
const BETAS: ReadonlySet<string> = new Set([
  'afk-mode-2026-01-31',
  'claude-code-20250219',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'effort-2025-11-24',
  'extended-cache-ttl-2025-04-11',
  'fallback-credit-2026-06-01',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-tool-changes-2026-07-01',
  'per-turn-control-2026-07-01',
  'thinking-display-updates-2026-08-18',
  'thinking-token-count-2026-05-13',
  'token-counting-2024-11-01',
]);

const WEB_SEARCH_BETA = 'web-search-2025-03-05';
const WEB_SEARCH_TOOL = 'web_search_20250305';
const SWITCHED_OFF = 'web search is off for this project. An admin can turn it on in the project’s settings';

const webSearchTool = fieldsOf({
  type: oneOf(WEB_SEARCH_TOOL),
  name: oneOf('web_search'),
  max_uses: isNumber,
  allowed_domains: listOf(isText),
  blocked_domains: listOf(isText),
});

/** The body of one request, once every part of it is known to be one that the program sends. Throws RequestRefused. */
export function checkRequest(headers: IncomingHttpHeaders, body: Buffer, allowance: RequestAllowance): CheckedRequest {
  checkBetas(headers['anthropic-beta'], allowance);
  const fields = parseBody(body);
  checkFields(fields, topLevel(allowance), '');
  const { model } = fields;
  if (typeof model !== 'string') throw new RequestRefused('a request without a model', 'it names none');
  if (allowance.model !== null && !mayAskModel(allowance.model, model)) {
    throw new RequestRefused(
      `the model ${shownName(model)}`,
      `this turn may use ${allowance.model}. Choose another model in the options of the session or message`,
    );
  }
  return { fields, model, bytes: Buffer.from(JSON.stringify(fields)) };
}

function topLevel(allowance: RequestAllowance): Readonly<Record<string, Check>> {
  return {
    model: isText,
    messages: messagesWith(allowance),
    system: systemPrompt,
    tools: listOf((tool, place) => checkTool(tool, place, allowance)),
    tool_choice: fieldsOf({ type: isText, name: isText, disable_parallel_tool_use: isBoolean }),
    metadata: fieldsOf({ user_id: orNull(isText) }),
    max_tokens: isNumber,
    thinking: fieldsOf({ type: isText, budget_tokens: isNumber, display: isText }),
    context_management: fieldsOf({ edits: listOf(fieldsOf({ type: oneOf('clear_thinking_20251015'), keep: isData })) }),
    output_config: fieldsOf({ effort: isText }),
    safeguards: listOf(fieldsOf({ type: oneOf('dangerous_tool_use'), classifier_context: isData })),
    stream: isBoolean,
    temperature: isNumber,
    stop_sequences: listOf(isText),
  };
}

function checkTool(value: unknown, place: string, { webSearch }: RequestAllowance): void {
  const { type } = objectAt(value, place);
  if (typeof type !== 'string' || !type.startsWith('web_search_')) return customTool(value, 'tool');
  if (!webSearch) throw new RequestRefused(`tool ${shownName(type)}`, SWITCHED_OFF);
  webSearchTool(value, `tool ${shownName(type)}`);
}

function checkBetas(header: string | string[] | undefined, { webSearch }: RequestAllowance): void {
  for (const beta of String(header ?? '')
    .split(',')
    .map((name) => name.trim())) {
    if (beta === '' || BETAS.has(beta)) continue;
    if (beta !== WEB_SEARCH_BETA) refuseValue(`anthropic-beta ${shownName(beta)}`);
    if (!webSearch) throw new RequestRefused(`anthropic-beta ${beta}`, SWITCHED_OFF);
  }
}
