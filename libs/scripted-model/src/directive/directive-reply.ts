import {
  message,
  text,
  thinking,
  toolUse,
  type ApiUsage,
  type ErrorReply,
  type MessageReply,
  type Reply,
  type ReplyBlock,
  type StopReason,
} from '../api/reply';
import { httpError } from './http-errors';
import type { Directive } from './parse-directives';
import { longSection, UNICODE_TEXT, wordsNumbered } from './sample-texts';

const FIXED_USAGE: ApiUsage = {
  input_tokens: 12,
  output_tokens: 8,
  cache_creation_input_tokens: 50,
  cache_read_input_tokens: 100,
};
const FAULTS = ['hang', 'refused', 'cut_early', 'garbage', 'html'] as const;

/** The one answer that a step's directives make up. An unknown directive is answered with a text that says so. */
export function replyOf(step: readonly Directive[]): Reply {
  const reply: MessageReply = { ...message(), usage: { ...FIXED_USAGE } };
  for (const directive of step) {
    const other = errorOf(directive) ?? faultOf(directive);
    if (other) return other;
    extend(reply, directive);
  }
  if (reply.blocks.some((block) => block.type === 'tool_use') && reply.stopReason === 'end_turn')
    reply.stopReason = 'tool_use';
  return reply;
}

function errorOf({ name, words, options }: Directive): ErrorReply | null {
  if (name === 'too_long') return httpError(400, { message: 'prompt is too long: 1234567 tokens > 200000 maximum' });
  return name === 'error' ? httpError(Number(words) || 500, options) : null;
}

function faultOf({ name }: Directive): Reply | null {
  const fault = FAULTS.find((one) => one === name);
  return fault ? { kind: 'fault', fault } : null;
}

function extend(reply: MessageReply, directive: Directive): void {
  const { name, words, options } = directive;
  if (options['delay'] !== undefined || options['chunk'] !== undefined || options['by'] !== undefined) {
    const unit = options['by'] === 'word' ? 'word' : 'character';
    reply.pace = {
      unit,
      size: Number(options['chunk'] ?? (unit === 'word' ? 1 : 12)),
      delayMs: Number(options['delay'] ?? 0),
    };
  }
  switch (name) {
    case 'text':
      reply.blocks.push(text(words));
      return;
    case 'slow':
      reply.blocks.push(text(wordsNumbered(Number(options['words'] ?? 50))));
      reply.pace = { unit: 'word', size: 1, delayMs: Number(options['delay'] ?? 200) };
      return;
    case 'long':
      reply.blocks.push(text(longText(Number(options['chars'] ?? 50_000))));
      reply.pace ??= { unit: 'character', size: 400, delayMs: 0 };
      return;
    case 'burst':
      extendWithBurst(reply, Number(words) || 3_000, options['text'] ?? 'word ');
      return;
    case 'unicode':
      reply.blocks.push(text(words || UNICODE_TEXT));
      reply.pace ??= { unit: 'character', size: 1, delayMs: 0 };
      reply.splitCharacters = true;
      return;
    case 'thinking':
      reply.blocks.push(thinking(words || 'Let me think about this step by step.'));
      return;
    case 'redacted':
      reply.blocks.push({ type: 'redacted_thinking', data: 'c2NyaXB0ZWQtcmVkYWN0ZWQ=' });
      return;
    case 'tool':
    case 'tools':
      reply.blocks.push(...toolBlocks(directive));
      return;
    case 'usage':
      reply.usage = { ...reply.usage, ...usageOf(options) };
      if (reply.blocks.length === 0) reply.blocks.push(text(words || 'Counted.'));
      return;
    case 'stop':
      reply.stopReason = words as StopReason;
      return;
    case 'model':
      reply.model = words;
      return;
    case 'max_tokens':
    case 'refusal':
    case 'pause_turn':
      if (words !== '' || name === 'max_tokens')
        reply.blocks.push(text(words || 'This answer ends because the limit was re'));
      reply.stopReason = name;
      return;
    case 'cut':
    case 'stall':
    case 'sse_error':
      extendWithFault(reply, directive);
      return;
    case 'empty':
      return;
    default:
      reply.blocks.push(text(`There is no directive "${name}".`));
  }
}

function extendWithFault(reply: MessageReply, { name, words, options }: Directive): void {
  const after = Number(options['after'] ?? 3);
  if (reply.blocks.length === 0) reply.blocks.push(text(words || wordsNumbered(60)));
  reply.pace ??= { unit: 'word', size: 1, delayMs: 10 };
  if (name === 'sse_error')
    reply.fault = {
      kind: 'error',
      after,
      type: options['type'] ?? 'overloaded_error',
      message: options['message'] ?? 'Overloaded',
    };
  else if (name === 'cut' && options['on'] === undefined) reply.fault = { kind: 'cut', after };
  else reply.fault = { kind: 'stall', after, ...(options['on'] === undefined ? {} : { cutOn: options['on'] }) };
}

function extendWithBurst(reply: MessageReply, deltas: number, unit: string): void {
  reply.blocks.push(text(unit.repeat(deltas)));
  reply.pace = { unit: 'character', size: [...unit].length, delayMs: 0 };
}

function toolBlocks({ name, words, options, json }: Directive): ReplyBlock[] {
  if (name === 'tool')
    return [{ ...toolUse(words, asInput(json)), ...(options['id'] === undefined ? {} : { id: options['id'] }) }];
  return (Array.isArray(json) ? json : []).map((one: unknown) =>
    Array.isArray(one) ? toolUse(String(one[0]), asInput(one[1])) : toolUse(String(one), {}),
  );
}

function asInput(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function usageOf(options: Readonly<Record<string, string>>): Partial<ApiUsage> {
  const count = (name: string): number => Number(options[name] ?? 0);
  const has = (name: string): boolean => options[name] !== undefined;
  const fiveMinutes = count('cache_write_5m');
  const oneHour = count('cache_write_1h');
  const isSplit = has('cache_write_5m') || has('cache_write_1h');
  return {
    input_tokens: count('input'),
    output_tokens: count('output'),
    cache_read_input_tokens: count('cache_read'),
    cache_creation_input_tokens: isSplit ? fiveMinutes + oneHour : count('cache_write'),
    ...(isSplit
      ? { cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour } }
      : {}),
    ...(has('searches') ? { server_tool_use: { web_search_requests: count('searches'), web_fetch_requests: 0 } } : {}),
  };
}

function longText(characters: number): string {
  let sections = '# A long answer\n\n';
  for (let number = 1; sections.length < characters; number += 1) sections += longSection(number);
  return sections.slice(0, characters);
}
