import { boundDepth } from '../records/bounded-json';
import { asArray, asName, asObject, asText, type JsonObject } from '../records/json';
import { withdrawBlocks } from './blocks';
import type { Handler, MapperContext } from './mapper-state';
import { readPatch } from './tool-patch';
import type { Tool } from './tool-ledger';
import { parentOf, startStreamedTool } from './tools';

export const acceptUser: Handler = (context, record) => {
  if (record['refusal_retry'] === true) withdrawRefused(context, asName(record['refused_message_id']));
  const rulings = readRulings(asArray(record['tool_result_meta']));
  noteDenials(context, rulings);
  const results = asArray(asObject(record['message'])?.['content'])
    .map(asObject)
    .filter((block): block is JsonObject => block?.['type'] === 'tool_result');
  // What the tool says in its own shape is said once per record, so it can only belong to a single result.
  const details = results.length === 1 ? asObject(record['tool_use_result']) : null;
  const parent = asName(record['parent_tool_use_id']);
  for (const result of results) {
    acceptToolResult(context, result, details ?? {}, parent);
    sayRuling(context, result, rulings);
  }
};

/** A refused answer is asked for once more; what there was of it is void. */
function withdrawRefused(context: MapperContext, messageId: string | null): void {
  const message = messageId === null ? null : context.turn.messages.find(messageId, null);
  if (message) withdrawBlocks(context, message, 0, 'refused');
}

type Ruling = 'accepted' | 'rejected';

/** What became of the permission of each call, as the program says it. */
function readRulings(metas: readonly unknown[]): ReadonlyMap<string, Ruling> {
  const rulings = new Map<string, Ruling>();
  for (const value of metas) {
    const meta = asObject(value);
    const id = asName(meta?.['id']);
    const decision = asObject(meta?.['permission_decision'])?.['decision'];
    if (id !== null && (decision === 'accept' || decision === 'reject'))
      rulings.set(id, decision === 'accept' ? 'accepted' : 'rejected');
  }
  return rulings;
}

function noteDenials(context: MapperContext, rulings: ReadonlyMap<string, Ruling>): void {
  for (const [id, ruling] of rulings) if (ruling === 'rejected') noteDenial(context, id, null);
}

/**
 * For a caller that knows what was answered. A call that failed without a ruling did not come so far: its name or
 * input was wrong.
 */
function sayRuling(context: MapperContext, result: JsonObject, rulings: ReadonlyMap<string, Ruling>): void {
  const toolUseId = asName(result['tool_use_id']);
  if (toolUseId === null) return;
  const name = context.turn.tools.find(toolUseId)?.name ?? '';
  const ruling = rulings.get(toolUseId) ?? (result['is_error'] === true || name === '' ? null : 'unsaid');
  if (ruling !== null) context.put({ type: 'tool-ruling', toolUseId, name, ruling });
}

export function noteDenial(context: MapperContext, toolUseId: string, name: string | null): void {
  const tool = context.turn.tools.find(toolUseId);
  context.turn.denials.set(toolUseId, { tool: name ?? tool?.name ?? '', toolUseId, input: tool?.input ?? null });
}

function acceptToolResult(
  context: MapperContext,
  result: JsonObject,
  details: JsonObject,
  parent: string | null,
): void {
  const toolUseId = asName(result['tool_use_id']);
  if (toolUseId === null) return context.ignore('tool_result:without id');
  startStreamedTool(context, toolUseId);
  const tool = context.turn.tools.tool(toolUseId);
  if (tool.ended) return context.ignore('tool_result:repeated');
  tool.ended = true;
  tool.parentToolUseId ??= parent;
  const ms = tool.startedAt === null ? 0 : Math.max(0, Math.round(context.now() - tool.startedAt));
  const content = boundDepth(result['content'] ?? '');
  const isError = result['is_error'] === true;
  const patch = isError ? null : readPatch(details);
  context.event(
    {
      kind: 'tool:result',
      payload: { toolUseId, content, isError, durationMs: ms, ...(patch ? { patch } : {}), ...parentOf(tool) },
    },
    sizeOf(content),
  );
  context.put({ type: 'tool-ended', toolUseId, ms });
  if (!isError && tool.parentToolUseId === null) updateTodos(context, tool, details, content);
}

function updateTodos(context: MapperContext, tool: Tool, result: JsonObject, content: unknown): void {
  const items = context.conversation.todos.apply(tool.name, {
    input: asObject(tool.input) ?? {},
    result,
    content: asText(content) ?? '',
  });
  if (items) context.event({ kind: 'todo:update', payload: { items } });
}

/** Characters of all text in it: what matters of its size, without writing it out. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.entries(value).reduce((size, [key, child]) => size + key.length + sizeOf(child), 2);
}
