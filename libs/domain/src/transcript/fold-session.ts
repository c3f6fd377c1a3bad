import {
  readFields,
  readList,
  readNumber,
  readNumberOrNull,
  readText,
  readTextOrNull,
  readChoice,
} from './read-payload';
import { itemBase, type TranscriptDraft, type WireEnvelope } from './transcript-draft';
import type { TodoEntry } from './transcript-state';

export function foldInit(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const turn = draft.turnOf(event);
  const claudeSessionId = readText(payload.claudeSessionId);
  const forkedFrom = readTextOrNull(payload.forkedFrom);
  turn.model = readTextOrNull(payload.model);
  if (turn.status === 'starting') turn.status = 'running';
  draft.state.init = {
    claudeSessionId,
    model: readText(payload.model),
    tools: readList(payload.tools).map(readText),
    cwd: readText(payload.cwd),
    permissionMode: readText(payload.permissionMode),
    claudeCodeVersion: readText(payload.claudeCodeVersion),
  };
  if (forkedFrom !== null) draft.append(turn, null, { ...itemBase(event), type: 'fork', claudeSessionId, forkedFrom });
}

export function foldTodos(draft: TranscriptDraft, event: WireEnvelope): void {
  const items = readList(event.payload.items).map((entry): TodoEntry => {
    const fields = readFields(entry);
    return {
      id: readText(fields.id),
      text: readText(fields.text),
      status: readChoice(fields.status, ['pending', 'in_progress', 'completed']),
    };
  });
  const turn = draft.turnOf(event);
  const found = draft.find(turn, 'todo', 'todo');
  if (found === null) draft.append(turn, 'todo', { ...itemBase(event), type: 'todo', items });
  else turn.items[found.at] = { ...found.item, items };
  draft.state.todos = items;
}

export function foldCompaction(draft: TranscriptDraft, event: WireEnvelope): void {
  draft.append(draft.turnOf(event), null, {
    ...itemBase(event),
    type: 'compaction',
    trigger: readText(event.payload.trigger),
    preTokens: readNumberOrNull(event.payload.preTokens),
    postTokens: readNumberOrNull(event.payload.postTokens),
  });
}

export function foldSessionError(draft: TranscriptDraft, event: WireEnvelope): void {
  draft.append(draft.turnOf(event), null, {
    ...itemBase(event),
    type: 'error',
    code: readText(event.payload.code),
    detail: readText(event.payload.detail),
    retryable: event.payload.retryable === true,
  });
}

export function foldSessionUpdate(draft: TranscriptDraft, event: WireEnvelope): void {
  const changes = readFields(event.payload.changes);
  draft.state.changes = { ...draft.state.changes, ...changes };
  if (changes.options === undefined) return;
  const byId = 'userId' in event.originator ? event.originator.userId : null;
  draft.append(draft.turnOf(event), null, {
    ...itemBase(event),
    type: 'options',
    byId,
    options: readFields(changes.options),
  });
}

export function foldSessionEnd(draft: TranscriptDraft, event: WireEnvelope): void {
  const reason = readText(event.payload.reason);
  draft.state.endedReason = reason;
  draft.append(draft.turnOf(event), null, { ...itemBase(event), type: 'session-end', reason });
}

export function foldBudgetNotice(draft: TranscriptDraft, event: WireEnvelope): void {
  draft.append(draft.turnOf(event), null, {
    ...itemBase(event),
    type: 'budget',
    percent: readNumber(event.payload.percent),
    spentUsd: readText(event.payload.spentUsd),
    limitUsd: readText(event.payload.limitUsd),
  });
}

export function foldGap(draft: TranscriptDraft, event: WireEnvelope): void {
  draft.append(draft.turnOf(event), null, {
    ...itemBase(event),
    type: 'gap',
    from: readNumber(event.payload.from),
    to: readNumber(event.payload.to),
    reason: readText(event.payload.reason),
  });
}

/** What waits is asked for again; here stands only that it changed, and what people should read of it. */
export function foldQueueUpdate(draft: TranscriptDraft, event: WireEnvelope): void {
  draft.state.queueEventId = event.id;
  const { author, detail } = readFields(event.payload.dropped);
  if (detail === undefined) return;
  draft.append(draft.turnOf(event), null, {
    ...itemBase(event),
    type: 'notice',
    level: 'warning',
    code: 'QUEUE_ITEM_DROPPED',
    text: `A queued message of ${readText(readFields(author).name)} was not sent. ${readText(detail)}`,
    patch: null,
    output: null,
  });
}
