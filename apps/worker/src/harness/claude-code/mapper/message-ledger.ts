export type BlockKind = 'text' | 'thinking' | 'tool' | 'other';

export interface Block {
  readonly index: number;
  readonly kind: BlockKind;
  /** What was streamed so far. */
  streamed: string;
  /** What the block's own record says; null until it comes. */
  whole: string | null;
  /** What it was when its stream ended, which may be before, or without, the record; null until then. */
  told: string | null;
  withdrawn: boolean;
  toolUseId: string | null;
}

export interface Message {
  readonly id: string;
  /** The tool call whose sub-agent speaks; null in the main conversation. */
  readonly parentToolUseId: string | null;
  readonly blocks: Map<number, Block>;
  /** Streamed blocks that wait for their record, oldest first. */
  readonly waiting: Map<BlockKind, { blocks: Block[]; head: number }>;
  nextIndex: number;
  stopReason: string | null;
}

/**
 * All messages of a turn in the order in which they began, each with its blocks by index. The program prints a block
 * first as stream events, which carry an index, then as a separate record, which does not: `completeBlock` finds the
 * one that belongs to it. Every step takes constant time.
 */
export class MessageLedger {
  private readonly messages = new Map<string, Message>();

  message(id: string, parentToolUseId: string | null): Message {
    let message = this.find(id, parentToolUseId);
    if (!message) {
      message = { id, parentToolUseId, blocks: new Map(), waiting: new Map(), nextIndex: 0, stopReason: null };
      this.messages.set(keyOf(id, parentToolUseId), message);
    }
    return message;
  }

  find(id: string, parentToolUseId: string | null): Message | null {
    return this.messages.get(keyOf(id, parentToolUseId)) ?? null;
  }

  all(): Message[] {
    return [...this.messages.values()];
  }

  visibleIds(): string[] {
    return this.all()
      .filter((message) => [...message.blocks.values()].some((block) => blockText(block) !== ''))
      .map((message) => message.id);
  }

  /** A block begins or continues in the stream. A withdrawn block that streams again starts from nothing. */
  streamBlock(message: Message, index: number, kind: BlockKind): Block {
    const known = message.blocks.get(index);
    if (known && !known.withdrawn) return known;
    const block = putBlock(message, index, kind);
    const waiting = message.waiting.get(kind);
    if (waiting) waiting.blocks.push(block);
    else message.waiting.set(kind, { blocks: [block], head: 0 });
    return block;
  }

  /** The block that a record belongs to: the oldest streamed one of its kind still without a record, else a new one. */
  completeBlock(message: Message, kind: BlockKind, whole: string): Block {
    const block = takeWaiting(message, kind) ?? putBlock(message, message.nextIndex, kind);
    block.whole = whole;
    return block;
  }

  /** Voids the blocks from an index on and answers those that were not void before. */
  withdraw(message: Message, fromBlock: number): Block[] {
    const withdrawn = [...message.blocks.values()].filter((block) => block.index >= fromBlock && !block.withdrawn);
    for (const block of withdrawn) block.withdrawn = true;
    return withdrawn;
  }
}

/** What a block says: its record if there is one, what was streamed otherwise, nothing when it is void. */
export function blockText(block: Block): string {
  return block.withdrawn ? '' : (block.whole ?? block.streamed);
}

/** Its end was reported, or its record came: nothing that happens to the stream can undo it. */
export function isFinished(block: Block): boolean {
  return block.whole !== null || block.told !== null;
}

/** The index from which on a message whose stream broke is void: after what the program had finished. */
export function firstUnfinishedBlock(message: Message): number {
  let first = message.nextIndex;
  for (const block of message.blocks.values()) {
    if (block.index < first && !isFinished(block) && !block.withdrawn) first = block.index;
  }
  return first;
}

function keyOf(id: string, parentToolUseId: string | null): string {
  return parentToolUseId === null ? id : `${parentToolUseId} ${id}`;
}

function putBlock(message: Message, index: number, kind: BlockKind): Block {
  const block: Block = { index, kind, streamed: '', whole: null, told: null, withdrawn: false, toolUseId: null };
  message.blocks.set(index, block);
  message.nextIndex = Math.max(message.nextIndex, index + 1);
  return block;
}

function takeWaiting(message: Message, kind: BlockKind): Block | null {
  const waiting = message.waiting.get(kind);
  if (!waiting) return null;
  while (waiting.head < waiting.blocks.length) {
    const block = waiting.blocks[waiting.head];
    waiting.head += 1;
    if (block && !block.withdrawn) return block;
  }
  return null;
}
