import { asCount, asName, asObject, asText, type JsonObject } from '../records/json';
import { blockPayload, closeMessage, messageIdOr, withdrawBlocks } from './blocks';
import type { Handler, MapperContext } from './mapper-state';
import { firstUnfinishedBlock, isFinished, type BlockKind, type Message } from './message-ledger';
import { forgetInput } from './tool-ledger';
import { streamInput } from './tools';

/** One raw event of the model's stream, with the message that it belongs to. */
type StreamEvent = { event: JsonObject; message: Message; record: JsonObject };

const BLOCK_KINDS: ReadonlyMap<string, BlockKind> = new Map<string, BlockKind>([
  ['text', 'text'],
  ['thinking', 'thinking'],
  ['tool_use', 'tool'],
]);

function readStreamEvent(context: MapperContext, record: JsonObject): StreamEvent | null {
  const event = asObject(record['event']);
  if (!event) return null;
  const parent = asName(record['parent_tool_use_id']);
  const started = asName(asObject(event['message'])?.['id']);
  const id = messageIdOr(context, started ?? asName(record['api_message_id']), parent);
  return { event, record, message: context.turn.messages.message(id, parent) };
}

const beginMessage: Handler<StreamEvent> = (context, { event, message }) => {
  const speaker = message.parentToolUseId ?? '';
  const previous = context.turn.streaming.get(speaker);
  // A message that begins while one is under way takes its place, also when it bears the same id.
  if (previous) withdrawBlocks(context, previous, firstUnfinishedBlock(previous), 'superseded');
  context.turn.streaming.set(speaker, message);
  const usage = asObject(asObject(event['message'])?.['usage']);
  if (usage) context.turn.usage.note(message.id, usage, false);
};

const beginBlock: Handler<StreamEvent> = (context, { event, message }) => {
  const content = asObject(event['content_block']);
  const kind = BLOCK_KINDS.get(asText(content?.['type']) ?? '') ?? 'other';
  const block = context.turn.messages.streamBlock(message, asCount(event['index']), kind);
  if (!content) return;
  if (kind === 'text') streamText(context, message, block.index, kind, asText(content['text']) ?? '');
  if (kind === 'thinking') streamText(context, message, block.index, kind, asText(content['thinking']) ?? '');
  const toolUseId = kind === 'tool' ? asName(content['id']) : null;
  if (toolUseId === null) return;
  block.toolUseId = toolUseId;
  const tool = context.turn.tools.tool(toolUseId);
  if (tool.startedAt !== null) return;
  forgetInput(tool);
  tool.name = asText(content['name']) ?? '';
  tool.parentToolUseId = message.parentToolUseId;
  tool.shownAt = context.now();
};

/** A piece of a block: its event's `delta`, and the block's index in its message. */
type Delta = { delta: JsonObject; index: number; message: Message };

const DELTA_HANDLERS: ReadonlyMap<string, Handler<Delta>> = new Map<string, Handler<Delta>>([
  [
    'text_delta',
    (context, { delta, index, message }) => streamText(context, message, index, 'text', asText(delta['text']) ?? ''),
  ],
  [
    'thinking_delta',
    (context, { delta, index, message }) =>
      streamText(context, message, index, 'thinking', asText(delta['thinking']) ?? ''),
  ],
  ['input_json_delta', continueInput],
  ['signature_delta', () => undefined],
  ['citations_delta', () => undefined],
]);

function continueInput(context: MapperContext, { delta, index, message }: Delta): void {
  const toolUseId = message.blocks.get(index)?.toolUseId ?? null;
  if (toolUseId !== null) streamInput(context, context.turn.tools.tool(toolUseId), asText(delta['partial_json']) ?? '');
}

const continueBlock: Handler<StreamEvent> = (context, { event, message }) => {
  const delta = asObject(event['delta']);
  const type = asText(delta?.['type']) ?? '';
  const handle = DELTA_HANDLERS.get(type);
  if (delta && handle) handle(context, { delta, index: asCount(event['index']), message });
  else context.ignore(`delta:${type}`);
};

function streamText(
  context: MapperContext,
  message: Message,
  index: number,
  kind: 'text' | 'thinking',
  text: string,
): void {
  if (text === '') return;
  const block = context.turn.messages.streamBlock(message, index, kind);
  if (isFinished(block) || block.kind !== kind) return context.ignore('delta:late');
  block.streamed += text;
  context.answerBegins(message.parentToolUseId);
  context.event({
    kind: kind === 'text' ? 'chat:delta' : 'thinking:delta',
    payload: blockPayload(message, block, text),
  });
}

const noteMessageDelta: Handler<StreamEvent> = (context, { event, message }) => {
  message.stopReason = asText(asObject(event['delta'])?.['stop_reason']) ?? message.stopReason;
  const usage = asObject(event['usage']);
  if (usage) context.turn.usage.note(message.id, usage, true);
};

const endMessage: Handler<StreamEvent> = (context, { message, record }) => {
  const abandoned = asObject(record['abandoned_blocks']);
  const voided =
    abandoned && context.turn.messages.find(asName(abandoned['api_message_id']) ?? message.id, message.parentToolUseId);
  if (voided) withdrawBlocks(context, voided, asCount(abandoned['from_block_index']), 'abandoned');
  closeMessage(context, message);
};

/** `content_block_stop` says nothing new: a block is whole by its record, or when its message ended well. */
const STREAM_HANDLERS: ReadonlyMap<string, Handler<StreamEvent>> = new Map([
  ['message_start', beginMessage],
  ['content_block_start', beginBlock],
  ['content_block_delta', continueBlock],
  ['content_block_stop', () => undefined],
  ['message_delta', noteMessageDelta],
  ['message_stop', endMessage],
  ['ping', () => undefined],
]);

export const acceptStreamEvent: Handler = (context, record) => {
  const streamed = readStreamEvent(context, record);
  const type = asText(streamed?.event['type']) ?? '';
  const handle = STREAM_HANDLERS.get(type);
  if (streamed && handle) handle(context, streamed);
  else context.ignore(`stream_event:${type}`);
};
