import { readNumber, readText } from './read-payload';
import { itemBase, type TranscriptDraft, type WireEnvelope } from './transcript-draft';
import type { TurnView } from './transcript-state';

type BlockType = 'text' | 'thinking';

function blockKey(type: BlockType, messageId: string, block: number): string {
  return `${type}:${messageId}:${block}`;
}

/** The model is answering: what was said about waiting for it is over. */
function noteAnswer(turn: TurnView): void {
  turn.retry = null;
  if (turn.status === 'starting') turn.status = 'running';
}

function addBlock(
  draft: TranscriptDraft,
  turn: TurnView,
  event: WireEnvelope,
  type: BlockType,
  text: string,
  done: boolean,
): void {
  const messageId = readText(event.payload.messageId);
  const block = readNumber(event.payload.block);
  const base = { ...itemBase(event, event.payload.parentToolUseId), messageId, block, text, done };
  draft.append(
    turn,
    blockKey(type, messageId, block),
    type === 'text' ? { ...base, type } : { ...base, type, doneAt: done ? event.ts : null },
  );
}

/** Joins a delta to its block, which it begins when it is the first. */
export function foldDelta(draft: TranscriptDraft, event: WireEnvelope, type: BlockType): void {
  const turn = draft.turnOf(event);
  noteAnswer(turn);
  const text = readText(event.payload.text);
  const key = blockKey(type, readText(event.payload.messageId), readNumber(event.payload.block));
  const found = draft.find(turn, key, type);
  if (found === null) addBlock(draft, turn, event, type, text, false);
  else if (!found.item.done) turn.items[found.at] = { ...found.item, text: found.item.text + text };
}

/** The whole block: it replaces whatever was joined so far. */
export function foldWholeBlock(draft: TranscriptDraft, event: WireEnvelope, type: BlockType): void {
  const turn = draft.turnOf(event);
  noteAnswer(turn);
  const text = readText(event.payload.text);
  const key = blockKey(type, readText(event.payload.messageId), readNumber(event.payload.block));
  const found = draft.find(turn, key, type);
  if (found === null) addBlock(draft, turn, event, type, text, true);
  else if (found.item.type === 'thinking') turn.items[found.at] = { ...found.item, text, done: true, doneAt: event.ts };
  else turn.items[found.at] = { ...found.item, text, done: true };
}

/** A message is void from one block on. Its tools never ran, so those still being prepared go with it. */
export function foldWithdrawal(draft: TranscriptDraft, event: WireEnvelope): void {
  const turn = draft.turnOf(event);
  const messageId = readText(event.payload.messageId);
  const fromBlock = readNumber(event.payload.fromBlock);
  turn.items.forEach((item, at) => {
    const isWithdrawn =
      (item.type === 'text' || item.type === 'thinking') && item.messageId === messageId && item.block >= fromBlock;
    const wasPrepared = item.type === 'tool' && item.status === 'preparing';
    if (isWithdrawn || wasPrepared) turn.items[at] = { type: 'void', key: item.key, at: item.at, parent: item.parent };
  });
}
