import type { Envelope, NewEvent } from '@chirality/contracts';
import type { Pool } from 'pg';
import { EventLogClosedError, type AppendItem, type AppendResult } from './append-item';
import { makeChunk, type Chunk } from './chunk';
import { ChunkWriter } from './chunk-writer';
import { pendingEvent, type PendingEvent } from './pending-event';
import { SessionQueue, type Place } from './session-queue';

/** A payload above this goes through `spill` before it is stored. */
export const PAYLOAD_LIMIT_BYTES = 64 * 1024;
/** Most payload in one statement, beyond the first chunk. */
const STATEMENT_LIMIT_BYTES = 1024 * 1024;
/** What takes longer to be put elsewhere is stored whole. */
const SPILL_LIMIT_MS = 5_000;
/** Separate transactions (transitions, sessions locked elsewhere) that may run beside the batch. */
const SINGLES_AT_ONCE = 2;

type CommitListener = (sessionId: string, envelopes: Envelope[]) => void;

interface EventLogWriterOptions {
  /** `Database.eventPool`: a dedicated pool with a short lock timeout. */
  pool: Pool;
  /** Called after the commit, in the order of the ids of each session. What it throws is ignored. */
  onCommitted: CommitListener;
  /**
   * Puts the full payload elsewhere and answers the event that is stored instead, with a preview. When it fails, or
   * takes too long, the event is stored whole: too large is better than lost.
   */
  spill?(sessionId: string, event: NewEvent, bytes: number): Promise<NewEvent>;
  clock?: () => Date;
}

/**
 * The one module that appends to the event log. Per session the items are written in the order of the calls, with ids
 * 1, 2, 3 … and no gap; an item of an outdated fence is dropped alone. The first waiting item is written at once, what
 * arrives meanwhile goes together with the next, over all sessions in one commit; a burst of deltas waits a little for
 * more of itself. While Postgres is away everything waits; nothing is dropped and nothing is written twice.
 */
export class EventLogWriter {
  private readonly queues = new Map<string, SessionQueue>();
  private readonly abandon = new AbortController();
  private readonly chunks: ChunkWriter;
  private readonly clock: () => Date;
  private bytes = 0;
  private closed = false;
  private batchRunning = false;
  private singlesRunning = 0;
  private pumpScheduled = false;
  private resting: NodeJS.Timeout | null = null;
  private readonly listeners: CommitListener[];
  private belowWaiters: { bytes: number; resolve: () => void }[] = [];

  constructor(private readonly options: EventLogWriterOptions) {
    this.clock = options.clock ?? (() => new Date());
    this.listeners = [options.onCommitted];
    this.chunks = new ChunkWriter({
      pool: options.pool,
      clock: this.clock,
      listeners: this.listeners,
      abandoned: this.abandon.signal,
    });
  }

  /** Calls the listener as it calls `onCommitted`, and after it. For what is built later than the log. */
  listen(listener: CommitListener): void {
    this.listeners.push(listener);
  }

  /**
   * Resolves when the item is committed and published, or refused. Rejects only with what Postgres has against the
   * item itself, or with EventLogClosedError.
   */
  async append(item: AppendItem): Promise<AppendResult> {
    if (this.closed) throw new EventLogClosedError();
    const now = this.clock();
    const arrivedAt = performance.now();
    const events = item.events.map((event) => pendingEvent(event, now, arrivedAt));
    const spills = this.options.spill !== undefined && events.some((event) => event.bytes > PAYLOAD_LIMIT_BYTES);
    const chunk = makeChunk({
      sessionId: item.sessionId,
      fence: item.fence,
      events,
      transition: item.transition,
      raisesFence: item.raisesFence ?? false,
      ready: !spills,
    });
    const { places, grownBytes } = this.queueOf(item.sessionId).push(chunk);
    this.bytes += grownBytes;
    if (spills) void this.spillChunk(chunk).then(() => this.schedulePump());
    this.schedulePump();
    return resultOf(chunk, places);
  }

  /** Publishes events that another statement of this library committed. */
  announce(sessionId: string, envelopes: Envelope[]): void {
    this.chunks.publish(sessionId, envelopes);
  }

  /** Payload that waits or is being written. A producer that is far ahead should stop at some limit. */
  pendingBytes(): number {
    return this.bytes;
  }

  /** Resolves once no more than `bytes` of payload wait. */
  whenBelow(bytes: number): Promise<void> {
    if (this.bytes <= bytes) return Promise.resolve();
    return new Promise((resolve) => this.belowWaiters.push({ bytes, resolve }));
  }

  /** Milliseconds for which Postgres has not answered any write; 0 when it answers or nothing waits. */
  awayMs(): number {
    return this.queues.size === 0 ? 0 : this.chunks.awayMs();
  }

  /** Resolves when everything that was appended before this call is written, refused or failed. */
  async flush(): Promise<void> {
    const waiting = [...this.queues.values()].flatMap((queue) => queue.chunks);
    await Promise.allSettled(waiting.map((chunk) => chunk.outcome));
  }

  /** Takes nothing more, writes what waits for up to `limitMs`, then fails the rest with EventLogClosedError. */
  async close(limitMs = 15_000): Promise<void> {
    this.closed = true;
    const timer = setTimeout(() => this.abandon.abort(), limitMs);
    this.schedulePump();
    await this.flush();
    clearTimeout(timer);
    if (this.resting) clearTimeout(this.resting);
    this.abandon.abort();
  }

  private queueOf(sessionId: string): SessionQueue {
    const existing = this.queues.get(sessionId);
    if (existing) return existing;
    const queue = new SessionQueue(sessionId);
    this.queues.set(sessionId, queue);
    return queue;
  }

  /** At the end of the current task, so that events of one read of a pipe make one statement. */
  private schedulePump(): void {
    if (this.pumpScheduled) return;
    this.pumpScheduled = true;
    queueMicrotask(() => {
      this.pumpScheduled = false;
      this.startBatch();
      this.startSingles();
    });
  }

  private startBatch(): void {
    if (this.batchRunning) return;
    const taken: { queue: SessionQueue; chunks: Chunk[] }[] = [];
    const now = performance.now();
    let left = STATEMENT_LIMIT_BYTES;
    let restMs = Infinity;
    for (const queue of this.queues.values()) {
      if (left <= 0) break;
      if (queue.contended || queue.head?.transition) continue;
      const rest = this.closed ? 0 : queue.restMs(now);
      if (rest > 0) {
        restMs = Math.min(restMs, rest);
        continue;
      }
      const chunks = queue.take(left, now);
      if (chunks.length === 0) continue;
      left -= chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
      taken.push({ queue, chunks });
    }
    if (restMs < Infinity) this.pumpAfter(restMs);
    if (taken.length === 0) return;
    this.batchRunning = true;
    void this.chunks
      .writePlain(taken.map(({ queue, chunks }) => ({ sessionId: queue.sessionId, chunks })))
      .then((done) => {
        this.batchRunning = false;
        for (const { queue, chunks } of taken) this.finish(queue, chunks, done);
      });
  }

  /** What follows a burst pumps at once, so this only ends its pauses. */
  private pumpAfter(ms: number): void {
    this.resting ??= setTimeout(() => {
      this.resting = null;
      this.schedulePump();
    }, ms);
  }

  private startSingles(): void {
    for (const queue of [...this.queues.values()]) {
      if (this.singlesRunning >= SINGLES_AT_ONCE) return;
      if (!queue.contended && !queue.head?.transition) continue;
      const chunks = queue.take(STATEMENT_LIMIT_BYTES);
      const [first] = chunks;
      if (!first) continue;
      this.singlesRunning++;
      const writing = first.transition
        ? this.chunks.writeTransition(first).then((settled) => new Set(settled ? [first] : []))
        : this.chunks.writePlain([{ sessionId: queue.sessionId, chunks }]);
      void writing.then((done) => {
        this.singlesRunning--;
        this.finish(queue, chunks, done);
      });
    }
  }

  private finish(queue: SessionQueue, chunks: Chunk[], done: ReadonlySet<Chunk>): void {
    for (const chunk of chunks) if (done.has(chunk)) this.bytes -= chunk.bytes;
    queue.contended = !chunks.every((chunk) => done.has(chunk));
    queue.finish(done);
    // Last in the map is last in turn, so a session that is locked elsewhere does not keep a place others could use.
    this.queues.delete(queue.sessionId);
    if (!queue.isIdle) this.queues.set(queue.sessionId, queue);
    this.releaseWaiters();
    this.schedulePump();
  }

  private releaseWaiters(): void {
    const released = this.belowWaiters.filter((waiter) => this.bytes <= waiter.bytes);
    this.belowWaiters = this.belowWaiters.filter((waiter) => this.bytes > waiter.bytes);
    for (const waiter of released) waiter.resolve();
  }

  private async spillChunk(chunk: Chunk): Promise<void> {
    for (const [index, pending] of chunk.events.entries()) {
      if (pending.bytes <= PAYLOAD_LIMIT_BYTES) continue;
      const stored = await this.spilled(chunk.sessionId, pending);
      chunk.events[index] = pendingEvent(stored, new Date(pending.ts), pending.arrivedAt);
      const grownBytes = (chunk.events[index]?.bytes ?? 0) - pending.bytes;
      chunk.bytes += grownBytes;
      this.bytes += grownBytes;
    }
    chunk.ready = true;
  }

  /** The session's log waits for it, so it does not wait for a store that hangs. */
  private spilled(sessionId: string, { event, bytes }: PendingEvent): Promise<NewEvent> {
    const { signal } = this.abandon;
    return new Promise((resolve) => {
      const conclude = (stored: NewEvent) => {
        clearTimeout(limit);
        signal.removeEventListener('abort', keepWhole);
        resolve(stored);
      };
      const keepWhole = () => conclude(event);
      const limit = setTimeout(keepWhole, SPILL_LIMIT_MS);
      signal.addEventListener('abort', keepWhole);
      this.options.spill?.(sessionId, event, bytes).then(conclude, keepWhole);
    });
  }
}

async function resultOf(own: Chunk, places: Place[]): Promise<AppendResult> {
  if (own.transition) return own.outcome;
  const results = new Map<Chunk, AppendResult>();
  for (const { chunk } of places) if (!results.has(chunk)) results.set(chunk, await chunk.outcome);
  const envelopes: Envelope[] = [];
  for (const { chunk, index } of places) {
    const result = results.get(chunk) as AppendResult;
    if (!result.appended) return result;
    const envelope = result.events[index];
    if (envelope && envelopes.at(-1) !== envelope) envelopes.push(envelope);
  }
  return { appended: true, events: envelopes };
}
