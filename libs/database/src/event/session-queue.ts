import type { Chunk } from './chunk';
import { isDelta, JOIN_WINDOW_MS, joinDeltas } from './join-deltas';
import type { PendingEvent } from './pending-event';

/** Where an event of an item went: its chunk and its place in it. */
export interface Place {
  chunk: Chunk;
  index: number;
}

/** This many events joined during one write are a burst; no reader follows its single words. */
const BURST = 10;

/** What one session has waiting, in order. At most one take is under way at a time. */
export class SessionQueue {
  private readonly waiting: Chunk[] = [];
  private taken = 0;
  private takenAt = -Infinity;
  private pushedSince = 0;
  /** Another process holds the session's cursor: this session is written apart, so that the others need not wait. */
  contended = false;

  constructor(readonly sessionId: string) {}

  get isIdle(): boolean {
    return this.waiting.length === 0;
  }

  get head(): Chunk | undefined {
    return this.waiting[0];
  }

  get chunks(): readonly Chunk[] {
    return this.waiting;
  }

  /**
   * Puts the chunk at the end; a delta at its start may join the last event that still waits. Answers where each of
   * the chunk's events is now, and the bytes by which the queue has grown.
   */
  push(chunk: Chunk): { places: Place[]; grownBytes: number } {
    const places: Place[] = [];
    let grownBytes = 0;
    const tail = this.joinableTail(chunk);
    const own: PendingEvent[] = [];
    for (const event of chunk.events) {
      const target = own.length > 0 ? own : tail?.events;
      const last = target?.at(-1);
      const joined = last && joinDeltas(last, event);
      if (joined && target) {
        target[target.length - 1] = joined;
        grownBytes += joined.bytes - last.bytes;
        if (target === tail?.events) tail.bytes += joined.bytes - last.bytes;
        places.push({ chunk: target === own ? chunk : (tail as Chunk), index: target.length - 1 });
      } else {
        own.push(event);
        grownBytes += event.bytes;
        places.push({ chunk, index: own.length - 1 });
      }
    }
    this.pushedSince += chunk.events.length;
    chunk.events = own;
    chunk.bytes = own.reduce((sum, event) => sum + event.bytes, 0);
    if (own.length > 0 || chunk.transition) this.waiting.push(chunk);
    return { places, grownBytes };
  }

  /**
   * How long what waits may still be joined by more before it is written: in a burst of deltas a few dozen a second are
   * enough. Nothing but deltas is ever kept waiting, and no delta by anything that follows it. Times in milliseconds.
   */
  restMs(now: number): number {
    const first =
      this.waiting.length === 1 && this.taken === 0 && this.pushedSince >= BURST ? this.waiting[0] : undefined;
    const isBurst =
      first?.events.length === 1 && !first.transition && !first.raisesFence && isDelta(first.events[0]!.event);
    return isBurst ? Math.max(0, this.takenAt + JOIN_WINDOW_MS - now) : 0;
  }

  /**
   * The chunks that may be written together now: the first, and after it the plain ones of the same fence, up to a
   * size.
   */
  take(limitBytes: number, now = 0): Chunk[] {
    const [first] = this.waiting;
    if (!first?.ready || this.taken > 0) return [];
    let amount = 1;
    if (!first.transition && !first.raisesFence) {
      for (let bytes = first.bytes; amount < this.waiting.length; amount++) {
        const next = this.waiting[amount] as Chunk;
        bytes += next.bytes;
        if (!next.ready || next.transition || next.raisesFence || next.fence !== first.fence || bytes > limitBytes)
          break;
      }
    }
    this.taken = amount;
    this.takenAt = now;
    this.pushedSince = 0;
    return this.waiting.slice(0, amount);
  }

  /** Ends the take; chunks that are not `done` stay at the front for the next one. */
  finish(done: ReadonlySet<Chunk>): void {
    const taken = this.waiting.splice(0, this.taken);
    this.waiting.unshift(...taken.filter((chunk) => !done.has(chunk)));
    this.taken = 0;
  }

  private joinableTail(chunk: Chunk): Chunk | undefined {
    if (chunk.transition || chunk.raisesFence || this.waiting.length <= this.taken) return undefined;
    const tail = this.waiting.at(-1);
    return tail && !tail.transition && !tail.raisesFence && tail.ready && tail.fence === chunk.fence ? tail : undefined;
  }
}
