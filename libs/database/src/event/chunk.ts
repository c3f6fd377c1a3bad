import type { Envelope } from '@chirality/contracts';
import type { AppendRefusal, Transition } from './append-item';
import type { PendingEvent } from './pending-event';

export type ChunkResult = { appended: true; events: Envelope[] } | { appended: false; reason: AppendRefusal };

/**
 * The smallest thing that is written or lost as a whole: one item's events, with the deltas that later items joined to
 * them.
 */
export interface Chunk {
  sessionId: string;
  fence: bigint | null;
  events: PendingEvent[];
  bytes: number;
  transition?: Transition | undefined;
  raisesFence: boolean;
  /** False while its large payloads are on their way to the blob store; nothing behind it is written before it. */
  ready: boolean;
  settle(result: ChunkResult): void;
  fail(error: unknown): void;
  outcome: Promise<ChunkResult>;
}

export function makeChunk(
  fields: Pick<Chunk, 'sessionId' | 'fence' | 'events' | 'transition' | 'raisesFence' | 'ready'>,
): Chunk {
  const { promise, resolve, reject } = withResolvers<ChunkResult>();
  // The appender sees a rejection; no one waits for a chunk that carries only the deltas of others.
  promise.catch(() => undefined);
  return { ...fields, bytes: sumBytes(fields.events), outcome: promise, settle: resolve, fail: reject };
}

function sumBytes(events: PendingEvent[]): number {
  return events.reduce((sum, event) => sum + event.bytes, 0);
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
