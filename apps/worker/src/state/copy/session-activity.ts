import { KeyedMutex } from './keyed-mutex';

/**
 * What this worker is doing with which session or shared workspace: shared by turns, acts of people and the cache's
 * keeper.
 */
export class SessionActivity {
  readonly mutex = new KeyedMutex();
  private readonly attempts = new Map<string, { fence: bigint; kept: boolean }>();
  /** Sessions whose last attempt was released in this life of the worker: its end was not the worker's. */
  private readonly released = new Set<string>();

  /** An attempt works on the copy from now on; an earlier one of the same session is overtaken. */
  begin(sessionId: string, fence: bigint): void {
    this.released.delete(sessionId);
    this.attempts.set(sessionId, { fence, kept: false });
  }

  /** The attempt ended in good order, and what is recorded of the copy's files is true. */
  keep(sessionId: string, fence: bigint): void {
    const attempt = this.attempts.get(sessionId);
    if (attempt?.fence === fence) attempt.kept = true;
  }

  isKept(sessionId: string): boolean {
    return this.attempts.get(sessionId)?.kept === true;
  }

  /** True when it was that attempt which worked on the copy; it no longer does. */
  end(sessionId: string, fence: bigint): boolean {
    return this.attempts.get(sessionId)?.fence === fence && this.attempts.delete(sessionId);
  }

  /** The attempt is over without anything to store. */
  release(sessionId: string, fence: bigint): void {
    if (this.end(sessionId, fence)) this.released.add(sessionId);
  }

  /** True when the attempt that worked last on the copy was ended by this worker, and not by the worker's own end. */
  endedHere(sessionId: string): boolean {
    return this.released.has(sessionId);
  }

  /** True while it is that attempt which works on the copy. */
  isAttempt(sessionId: string, fence: bigint): boolean {
    return this.attempts.get(sessionId)?.fence === fence;
  }

  isLive(sessionId: string): boolean {
    return this.attempts.has(sessionId);
  }

  /** True when a turn or operation works on the copy or waits to. */
  isBusy(sessionId: string): boolean {
    return this.isLive(sessionId) || this.mutex.isBusy(sessionId);
  }
}
