import { readChoice, readFields, readNumber, readNumberOrNull, readText, readTextOrNull } from './read-payload';
import { itemBase, type TranscriptDraft, type WireEnvelope } from './transcript-draft';
import type { ToolItem, TurnView } from './transcript-state';

function newTool(event: WireEnvelope, toolUseId: string): ToolItem {
  return {
    ...itemBase(event, event.payload.parentToolUseId),
    type: 'tool',
    toolUseId,
    name: readTextOrNull(event.payload.name),
    input: null,
    mutating: false,
    status: 'preparing',
    partialInput: null,
    progressText: null,
    startedAt: event.ts,
    durationMs: null,
    content: null,
    patch: null,
    truncated: null,
    permissionKey: null,
    word: null,
  };
}

/** Finds the tool of this event, or begins it, and puts `change` of it in its place. */
function changeTool(draft: TranscriptDraft, event: WireEnvelope, change: (tool: ToolItem) => ToolItem): TurnView {
  const turn = draft.turnOf(event);
  const toolUseId = readText(event.payload.toolUseId);
  const key = `tool:${toolUseId}`;
  const found = draft.find(turn, key, 'tool');
  if (found === null) draft.append(turn, key, change(newTool(event, toolUseId)));
  else turn.items[found.at] = change(found.item);
  return turn;
}

export function foldToolStart(draft: TranscriptDraft, event: WireEnvelope): void {
  const turn = changeTool(draft, event, (tool) => ({
    ...tool,
    name: readText(event.payload.name),
    input: event.payload.input ?? null,
    mutating: event.payload.mutating === true,
    status: 'running',
    partialInput: null,
    startedAt: event.ts,
    parent: readTextOrNull(event.payload.parentToolUseId) ?? tool.parent,
  }));
  turn.retry = null;
}

export function foldToolProgress(draft: TranscriptDraft, event: WireEnvelope): void {
  changeTool(draft, event, (tool) => ({
    ...tool,
    name: tool.name ?? readTextOrNull(event.payload.name),
    partialInput:
      tool.status === 'preparing' ? (readTextOrNull(event.payload.partialInput) ?? tool.partialInput) : null,
    progressText: readTextOrNull(event.payload.text) ?? tool.progressText,
    durationMs: readNumberOrNull(event.payload.elapsedMs) ?? tool.durationMs,
  }));
}

export function foldToolResult(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const truncated = readFields(payload.truncated);
  changeTool(draft, event, (tool) => ({
    ...tool,
    status: payload.isError === true ? 'failed' : 'succeeded',
    partialInput: null,
    durationMs: readNumber(payload.durationMs),
    content: payload.content ?? null,
    patch: payload.patch ?? null,
    truncated: typeof truncated.href === 'string' ? { bytes: readNumber(truncated.bytes), href: truncated.href } : null,
  }));
}

/** Comes after the turn that it speaks of, and outside of it. */
export function foldToolOutcome(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const turnId = readText(payload.turnId);
  draft.state.lastOutcomeEventId = event.id;
  if (!Object.hasOwn(draft.state.turnIndex, turnId)) return;
  const word = {
    outcome: readChoice(payload.outcome, ['failed', 'succeeded', 'abort']),
    note: readTextOrNull(payload.note),
    by: readText(readFields(payload.by).name),
    at: event.ts,
  };
  const turn = draft.turnOf({ ...event, turn: turnId });
  const found = draft.find(turn, `tool:${readText(payload.toolUseId)}`, 'tool');
  if (found !== null) turn.items[found.at] = { ...found.item, word };
}

/** The turn ended, or begins again: what still ran will never have a result. */
export function closeOpenItems(turn: TurnView, at: string): void {
  turn.items.forEach((item, position) => {
    if (item.type === 'tool' && (item.status === 'running' || item.status === 'preparing')) {
      turn.items[position] = { ...item, status: 'unfinished', partialInput: null };
    } else if (item.type === 'text' && !item.done) {
      turn.items[position] = { ...item, done: true };
    } else if (item.type === 'thinking' && !item.done) {
      turn.items[position] = { ...item, done: true, doneAt: at };
    } else if (item.type === 'permission' && item.answer === null) {
      turn.items[position] = {
        ...item,
        answer: { outcome: 'run_ended', scope: null, by: null, reason: null, answers: null, policy: null, at },
      };
    }
  });
  turn.openPermissions = [];
}
