import type { Envelope } from '@chirality/contracts';
import type { AccessWatch, OpenRights, WatchedAccess } from '../access/access-watch';
import type { Principal } from '../access/principal';
import { followFeed, type Follower } from './follow-feed';
import type { EventSource, SessionFeed } from './session-feed';
import { TokenClock } from './token-clock';

/** Why reading ended. `stopping`: the server; the log continues on another node, or on this one once it is back. */
export type ReadEnd = 'aborted' | 'signed-out' | 'no-access' | 'stopping';

export type ReaderOptions = {
  feed: SessionFeed;
  source: EventSource;
  access: AccessWatch;
  who: Principal;
  after: number;
  /** Aborted once the receiver has enough or is gone. */
  signal: AbortSignal;
  still: (who: Principal) => Promise<OpenRights | null>;
  /** Each event once, in order. A promise means that the receiver is full until it settles. */
  onEvents: (events: Envelope[]) => void | Promise<void>;
};

/**
 * Reads a session's events from a cursor on, for a receiver of any form, for as long as the person may see them. A
 * receiver that is slow holds nothing in memory: it reads from the log at its own pace until it has caught up.
 */
export class SessionReader implements Follower, WatchedAccess {
  closed = false;
  who: Principal;
  readonly sessionId: string;
  private cursor: number;
  private isFull = false;
  private fellBehind = false;
  private unsubscribe: () => void = () => undefined;
  private over: (end: ReadEnd) => void = () => undefined;

  constructor(private readonly options: ReaderOptions) {
    this.who = options.who;
    this.sessionId = options.feed.sessionId;
    this.cursor = options.after;
  }

  /** Settles with the reason once it is over; rejects when the log cannot be read or the receiver failed. */
  async run(): Promise<ReadEnd> {
    const { access, signal } = this.options;
    const ended = new Promise<ReadEnd>((resolve) => (this.over = resolve));
    const clock = new TokenClock(
      () => undefined,
      () => this.finish('signed-out'),
    );
    const abort = () => this.finish('aborted');
    clock.set(this.who);
    const unwatch = access.watch(this);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      const following = this.follow().then(() => ended);
      return await Promise.race([ended, following]);
    } finally {
      this.finish('aborted');
      signal.removeEventListener('abort', abort);
      clock.clear();
      unwatch();
    }
  }

  async write(events: Envelope[]): Promise<void> {
    await this.pass(events);
  }

  goLive(): void {
    this.unsubscribe = this.options.feed.subscribe((events) => this.takeLive(events));
  }

  stop(): void {
    this.finish('stopping');
  }

  still(who: Principal): Promise<OpenRights | null> {
    return this.options.still(who);
  }

  renew(who: Principal): void {
    this.who = who;
  }

  end(reason: 'signed-out' | 'no-access'): void {
    this.finish(reason);
  }

  private follow(): Promise<void> {
    const { feed, source } = this.options;
    return followFeed(feed, source, this.cursor, this);
  }

  /** What comes while the receiver is full is read again from the log. */
  private takeLive(events: Envelope[]): void {
    if (this.closed) return;
    if (this.isFull) {
      this.fellBehind = true;
      this.unsubscribe();
      return;
    }
    const passing = this.pass(events);
    if (passing === undefined) return;
    this.isFull = true;
    passing
      .then(() => {
        this.isFull = false;
        if (!this.fellBehind || this.closed) return;
        this.fellBehind = false;
        return this.follow();
      })
      .catch(() => this.finish('aborted'));
  }

  private pass(events: Envelope[]): Promise<void> | undefined {
    this.cursor = events.at(-1)?.id ?? this.cursor;
    return this.options.onEvents(events) ?? undefined;
  }

  private finish(end: ReadEnd): void {
    this.closed = true;
    this.unsubscribe();
    this.over(end);
  }
}
