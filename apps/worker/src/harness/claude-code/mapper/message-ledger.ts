export type BlockKind = 'text' | 'thinking' | 'tool' | 'other';

export interface Block {
  readonly index: number;
  readonly kind: BlockKind;
  /** What was streamed so far. */
  streamed: string;
  /** What the program says the whole block is; null until it does. */
  whole: string | null;
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
  /** Its stream is under way. */
  streaming: boolean;
}

/**
 * All messages of a turn in the order in which they began, each with its blocks by index. The program prints a block
 * first as stream events, which carry an index, then as a record of its own, which does not: `completeBlock` finds the
 * one that belongs to it. Every step takes constant time.
 */
export class MessageLedger {
  private readonly messages = new Map<string, Message>();

  message(id: string, parentToolUseId: string | null): Message {
    let message = this.messages.get(id);
    if (!message) {
      message = { id, parentToolUseId, blocks: new Map(), waiting: new Map(), nextIndex: 0, stopReason: null, streaming: false };
      this.messages.set(id, message);
    }
    return message;
  }

  find(id: string): Message | null {
    return this.messages.get(id) ?? null;
  }

  all(): Message[] {
    return [...this.messages.values()];
  }

  visibleIds(): string[] {
    return this.all()
      .filter((message) => [...message.blocks.values()].some((block) => blockText(block) !== ''))
      .map((message) => message.id);
  }

  /** A block begins or goes on in the stream. A withdrawn block that streams again starts from nothing. */
  streamBlock(message: Message, index: number, kind: BlockKind): Block {
    const known = message.blocks.get(index);
    if (known && !known.withdrawn) return known;
    const block = putBlock(message, index, kind);
    const waiting = message.waiting.get(kind);
    if (waiting) waiting.blocks.push(block);
    else message.waiting.set(kind, { blocks: [block], head: 0 });
    return block;
  }

  /** The block that a record completes: the oldest streamed one of its kind still without a record, else a new one. */
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

/** The index from which on a message whose stream broke is void: after what the program had completed. */
export function firstUnfinishedBlock(message: Message): number {
  let first = message.nextIndex;
  for (const block of message.blocks.values()) {
    if (block.whole === null && !block.withdrawn) first = Math.min(first, block.index);
  }
  return first;
}

function putBlock(message: Message, index: number, kind: BlockKind): Block {
  const block: Block = { index, kind, streamed: '', whole: null, withdrawn: false, toolUseId: null };
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
    if (block && block.whole === null && !block.withdrawn) return block;
  }
  return null;
}
