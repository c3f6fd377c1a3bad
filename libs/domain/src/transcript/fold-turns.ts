import type { Attachment, PaidBy, Timings, TokenUsage, TurnError } from '@chirality/contracts';
import { addMoney, subtractMoney } from '../cost/money';
import {
  readChoice,
  readFields,
  readFieldsOrNull,
  readList,
  readMoneyOrNull,
  readNumber,
  readNumberOrNull,
  readPerson,
  readText,
  readTextOrNull,
} from './read-payload';
import { closeOpenItems } from './fold-tools';
import { itemBase, type TranscriptDraft, type WireEnvelope } from './transcript-draft';

const BILLED_TO: readonly PaidBy[] = ['user', 'team', 'service', 'demo'];

export function foldTurnQueued(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload, originator } = event;
  const turn = draft.turnOf(event);
  turn.kind = readChoice(payload.turnKind, ['message', 'boot', 'compact']);
  turn.message = readText(payload.message);
  turn.attachments = readList(payload.attachments).flatMap(readAttachment);
  turn.outputSchema = readFieldsOrNull(payload.outputSchema);
  turn.position = readNumberOrNull(payload.position);
  turn.queuedAt = event.ts;
  turn.authorName = readTextOrNull(readFields(payload.author).name);
  if ('userId' in originator) {
    turn.authorId = originator.userId;
    turn.authorClass = originator.identityClass;
    turn.clientId = originator.clientId;
  }
}

function readAttachment(value: unknown): Attachment[] {
  const { id, name, mediaType, bytes, kind, width, height } = readFields(value);
  if (typeof id !== 'string') return [];
  const size =
    readNumber(width) > 0 && readNumber(height) > 0 ? { width: readNumber(width), height: readNumber(height) } : {};
  return [
    {
      id,
      name: readText(name),
      mediaType: readText(mediaType),
      bytes: readNumber(bytes),
      kind: readChoice(kind, ['file', 'image', 'document']),
      ...size,
    },
  ];
}

export function foldTurnStart(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const turn = draft.turnOf(event);
  const attempt = readNumber(payload.attempt);
  if (attempt > 1) {
    closeOpenItems(turn, event.ts);
    draft.append(turn, null, { ...itemBase(event), type: 'attempt', attempt });
  }
  turn.attempt = attempt;
  turn.status = 'starting';
  turn.position = null;
  turn.retry = null;
  turn.worker = readTextOrNull(payload.worker);
  turn.process = readChoice(payload.process, ['cold', 'ahead', 'parked']);
  turn.paidBy = BILLED_TO.find((account) => account === payload.paidBy) ?? null;
  turn.startedAt ??= event.ts;
}

export function foldTurnRetry(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  draft.turnOf(event).retry = {
    attempt: readNumber(payload.attempt),
    maxRetries: readNumber(payload.maxRetries),
    delayMs: readNumber(payload.delayMs),
    status: readNumberOrNull(payload.status),
    error: readText(payload.error),
    at: event.ts,
  };
}

export function foldTurnNotice(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const turn = draft.turnOf(event);
  const level = readChoice(payload.level, ['info', 'warning', 'error']);
  if (payload.code === 'FILES_CHANGED') {
    turn.changes = {
      paths: readList(payload.files).map((file) => readText(readFields(file).path)),
      additions: readNumber(payload.additions),
      deletions: readNumber(payload.deletions),
    };
    // After a turn that went well the line at its end says it all.
    if (level === 'info') return;
  }
  draft.append(turn, null, {
    ...itemBase(event),
    type: 'notice',
    level,
    code: readText(payload.code),
    text: readText(payload.text),
    patch: readTextOrNull(payload.patch),
    output: readTextOrNull(payload.output),
  });
}

export function foldCost(draft: TranscriptDraft, event: WireEnvelope): void {
  const turn = draft.turnOf(event);
  const { payload } = event;
  const costUsd = readMoneyOrNull(payload.costUsd);
  const isUnknown = payload.costUsd === null;
  if ((costUsd !== null || isUnknown) && costUsd !== turn.costUsd) {
    draft.state.costUsd = addMoney(subtractMoney(draft.state.costUsd, turn.costUsd ?? '0'), costUsd ?? '0');
    turn.costUsd = costUsd;
  }
  const unpricedMessages = readNumber(payload.unpricedMessages);
  draft.state.unpricedMessages += unpricedMessages - turn.unpricedMessages;
  turn.unpricedMessages = unpricedMessages;
  turn.isCostEstimated = payload.estimated === true;
  turn.usage = (payload.usage as TokenUsage | undefined) ?? turn.usage;
}

export function foldComplete(draft: TranscriptDraft, event: WireEnvelope): void {
  foldCost(draft, event);
  const turn = draft.turnOf(event);
  turn.retry = null;
  turn.degraded = event.payload.degraded === true;
  turn.resultText = readText(event.payload.text);
  turn.structured = readFieldsOrNull(event.payload.structured);
  turn.status = 'finishing';
}

export function foldTurnEnd(draft: TranscriptDraft, event: WireEnvelope): void {
  foldCost(draft, event);
  const { payload } = event;
  const turn = draft.turnOf(event);
  closeOpenItems(turn, event.ts);
  const error = readFields(payload.error);
  turn.status = readChoice(payload.status, ['failed', 'completed', 'interrupted', 'timed_out', 'cancelled', 'lost']);
  turn.error =
    typeof error.code === 'string' ? { code: error.code as TurnError['code'], detail: readText(error.detail) } : null;
  turn.stoppedBy = readPerson(payload.by);
  turn.timings = (payload.timings as Timings | undefined) ?? null;
  turn.endedAt = event.ts;
  turn.position = null;
  turn.retry = null;
  if (draft.state.activeTurnId === turn.id) draft.state.activeTurnId = null;
}
