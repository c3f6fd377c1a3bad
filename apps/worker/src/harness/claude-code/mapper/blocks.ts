import type { MapperContext } from './mapper-state';
import { blockText, isFinished, type Block, type Message } from './message-ledger';
import { startStreamedTool } from './tools';

/** The message that a stream event or record without an id belongs to, and otherwise one made up for it. */
export function messageIdOr(context: MapperContext, id: string | null, parentToolUseId: string | null): string {
  if (id !== null) return id;
  const streaming = context.turn.streaming.get(parentToolUseId ?? '');
  if (streaming) return streaming.id;
  context.turn.unnamed += 1;
  return `unnamed-${context.turn.unnamed}`;
}

export function blockPayload(message: Message, block: Block, text: string) {
  const payload = { messageId: message.id, block: block.index, text };
  return message.parentToolUseId === null ? payload : { ...payload, parentToolUseId: message.parentToolUseId };
}

/** Emits the whole block, unless exactly that was emitted before. */
export function sayComplete(context: MapperContext, message: Message, block: Block): void {
  const text = blockText(block);
  if (text === '' || text === block.told) return;
  context.answerBegins(message.parentToolUseId);
  context.event({
    kind: block.kind === 'thinking' ? 'thinking:complete' : 'chat:complete',
    payload: blockPayload(message, block, text),
  });
}

/** Voids what a message said from a block on, with an event if any of it was shown. */
export function withdrawBlocks(context: MapperContext, message: Message, fromBlock: number, reason: string): void {
  let seen = false;
  for (const block of context.turn.messages.withdraw(message, fromBlock)) {
    seen ||= block.whole !== null || block.streamed !== '' || block.kind === 'tool';
    context.turn.tools.dropUnstarted(block.toolUseId);
  }
  if (seen) context.event({ kind: 'chat:withdrawn', payload: { messageId: message.id, fromBlock, reason } });
}

/** A message's stream ended as it should: what it streamed stands, also without records. Idempotent. */
export function closeMessage(context: MapperContext, message: Message): void {
  for (const block of message.blocks.values()) {
    if (isFinished(block) || block.withdrawn) continue;
    if (block.kind === 'tool') startStreamedTool(context, block.toolUseId);
    if (block.kind === 'text' || block.kind === 'thinking') sayComplete(context, message, block);
    block.told = block.streamed;
  }
}
