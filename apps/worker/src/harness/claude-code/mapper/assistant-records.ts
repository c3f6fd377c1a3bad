import { asArray, asName, asNumber, asObject, asText, type JsonObject } from '../records/json';
import { messageIdOr, sayComplete } from './blocks';
import type { Handler, MapperContext } from './mapper-state';
import type { Message } from './message-ledger';
import { startTool } from './tools';

/** A block of an answer's content, and the message that it belongs to. */
type ContentBlock = { content: JsonObject; message: Message };

/** Classes of `error` that a real answer may carry: it was only cut. */
const ANSWER_CLASSES: ReadonlySet<string> = new Set(['max_output_tokens']);

export const acceptAssistant: Handler = (context, record) => {
  const body = asObject(record['message']);
  if (!body) return context.ignore('assistant:empty');
  const parent = asName(record['parent_tool_use_id']);
  const content =
    typeof body['content'] === 'string' ? [{ type: 'text', text: body['content'] }] : asArray(body['content']);
  if (isFailure(record)) {
    if (parent === null) noteFailure(context, record, content);
    return;
  }
  if (asObject(record['local_command_outcome'])?.['kind'] === 'failed') {
    context.turn.commandFailure = textOf(content).replace(/^Error: /, '');
    return;
  }
  const id = messageIdOr(context, asName(body['id']), parent);
  const message = context.turn.messages.message(id, parent);
  const usage = asObject(body['usage']);
  if (usage && parent === null) context.turn.usage.note(id, usage, false);
  for (const value of content) {
    const block = asObject(value);
    const type = asText(block?.['type']) ?? '';
    const handle = CONTENT_HANDLERS.get(type);
    if (block && handle) handle(context, { content: block, message });
    else context.ignore(`content:${type}`);
  }
};

/** The program reports a failed request in the shape of an answer; it is none. */
function isFailure(record: JsonObject): boolean {
  const errorClass = asName(record['error']);
  return record['is_api_error_message'] === true || (errorClass !== null && !ANSWER_CLASSES.has(errorClass));
}

function noteFailure(context: MapperContext, record: JsonObject, content: readonly unknown[]): void {
  context.turn.apiFailure = {
    errorClass: asName(record['error']),
    status: asNumber(record['api_error_status']),
    text: textOf(content),
  };
}

function textOf(content: readonly unknown[]): string {
  return content.map((block) => asText(asObject(block)?.['text']) ?? '').join('');
}

const completeText: Handler<ContentBlock> = (context, { content, message }) => {
  sayComplete(context, message, context.turn.messages.completeBlock(message, 'text', asText(content['text']) ?? ''));
};

const completeThinking: Handler<ContentBlock> = (context, { content, message }) => {
  sayComplete(
    context,
    message,
    context.turn.messages.completeBlock(message, 'thinking', asText(content['thinking']) ?? ''),
  );
};

const completeTool: Handler<ContentBlock> = (context, { content, message }) => {
  const toolUseId = asName(content['id']);
  const name = asName(content['name']);
  if (toolUseId === null || name === null) return context.ignore('content:tool_use without id or name');
  context.turn.messages.completeBlock(message, 'tool', '');
  const tool = context.turn.tools.tool(toolUseId);
  if (tool.startedAt !== null) return context.ignore('content:repeated tool_use');
  tool.name = name;
  tool.parentToolUseId = message.parentToolUseId;
  startTool(context, tool, content['input']);
};

/** Redacted thinking has nothing to show, but its place counts. */
const completeHidden: Handler<ContentBlock> = (context, { message }) => {
  context.turn.messages.completeBlock(message, 'other', '');
};

const CONTENT_HANDLERS: ReadonlyMap<string, Handler<ContentBlock>> = new Map([
  ['text', completeText],
  ['thinking', completeThinking],
  ['tool_use', completeTool],
  ['redacted_thinking', completeHidden],
]);
