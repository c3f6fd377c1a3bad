import type { Envelope } from '@chirality/contracts';
import { every, joined } from '@chirality/platform';
import { SessionFeed, type EventSource } from './session-feed';

export interface FeedBus {
  subscribe(sessionId: string, handler: (events: Envelope[]) => void): () => void;
  onReconnected(handler: () => void): () => void;
}

/** The log, with the newest id of many sessions in one read. */
export interface FeedLog extends EventSource {
  lastEventIds(sessionIds: string[]): Promise<Map<string, number>>;
}

type Entry = { feed: Promise<SessionFeed>; users: number; unsubscribe: () => void; lingering?: NodeJS.Timeout };

const LINGER_MS = 30_000;
const CHECK_MS = 1_000;

/**
 * The feeds of the sessions that are watched here: one each, shared by all their watchers, however they watch.
 * Each second one read compares every feed with the log, so that a hint that was lost at the end of a turn, or a Redis
 * that is away altogether, delays an event by a second and never hides it.
 */
export class FeedRegistry {
  private readonly entries = new Map<string, Entry>();
  private readonly stopComparing: () => void;
  private readonly stopListening: () => void;

  constructor(
    private readonly log: FeedLog,
    private readonly bus: FeedBus,
    private readonly onFailure: (error: unknown, sessionId: string | null) => void,
  ) {
    this.stopComparing = every(CHECK_MS, this.compareWithLog);
    this.stopListening = bus.onReconnected(() => void this.compareWithLog());
  }

  /** The session's feed, listening before it is positioned. Every `acquire` is paired with one `release`. */
  async acquire(sessionId: string): Promise<SessionFeed> {
    const entry = this.entries.get(sessionId) ?? this.open(sessionId);
    entry.users += 1;
    clearTimeout(entry.lingering);
    try {
      return await entry.feed;
    } catch (error) {
      this.release(sessionId);
      throw error;
    }
  }

  release(sessionId: string): void {
    const entry = this.entries.get(sessionId);
    if (!entry) return;
    entry.users -= 1;
    if (entry.users > 0) return;
    clearTimeout(entry.lingering);
    entry.lingering = setTimeout(() => this.drop(sessionId, entry), LINGER_MS).unref();
  }

  /** Events that this process committed itself reach its watchers without the detour over the bus. */
  offer(sessionId: string, events: Envelope[]): void {
    void this.entries.get(sessionId)?.feed.then(
      (feed) => feed.offer(events),
      () => undefined,
    );
  }

  get size(): number {
    return this.entries.size;
  }

  close(): void {
    this.stopComparing();
    this.stopListening();
    for (const [sessionId, entry] of this.entries) this.drop(sessionId, entry);
  }

  private open(sessionId: string): Entry {
    const early: Envelope[] = [];
    let ready: SessionFeed | null = null;
    const unsubscribe = this.bus.subscribe(sessionId, (events) =>
      ready ? ready.offer(events) : early.push(...events),
    );
    const feed = this.log.lastEventIds([sessionId]).then((ids) => {
      ready = new SessionFeed(sessionId, this.log, ids.get(sessionId) ?? 0, (error) =>
        this.onFailure(error, sessionId),
      );
      ready.offer(early);
      return ready;
    });
    const entry: Entry = { feed, users: 0, unsubscribe };
    this.entries.set(sessionId, entry);
    feed.catch(() => this.drop(sessionId, entry));
    return entry;
  }

  private drop(sessionId: string, entry: Entry): void {
    clearTimeout(entry.lingering);
    entry.unsubscribe();
    if (this.entries.get(sessionId) === entry) this.entries.delete(sessionId);
    void entry.feed.then(
      (feed) => feed.close(),
      () => undefined,
    );
  }

  private readonly compareWithLog = joined(async () => {
    if (this.entries.size === 0) return;
    try {
      const newest = await this.log.lastEventIds([...this.entries.keys()]);
      for (const [sessionId, last] of newest) {
        const feed = await this.entries.get(sessionId)?.feed;
        if (feed && last > feed.through) await feed.catchUp();
      }
    } catch (error) {
      this.onFailure(error, null);
    }
  });
}
