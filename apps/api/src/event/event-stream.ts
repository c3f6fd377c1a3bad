import type { Response } from 'express';
import type { Envelope } from '@chirality/contracts';
import { every, metrics } from '@chirality/platform';
import type { AccessWatch, OpenRights, WatchedAccess } from '../access/access-watch';
import type { Principal } from '../access/principal';
import { followFeed, type Follower } from './follow-feed';
import type { EventSource, SessionFeed } from './session-feed';
import { TokenClock } from './token-clock';

const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 1_000;
/**
 * A reader that has more than this waiting no longer receives live events: it reads the log at its own pace until it
 * has caught up.
 */
const MAX_WAITING_BYTES = 2 * 1024 * 1024;

/** One event as a server-sent event; its data is the envelope, byte for byte as in JSON. */
function sseFrame(event: Envelope): string {
  return `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
}

type StreamOptions = {
  response: Response;
  feed: SessionFeed;
  source: EventSource;
  after: number;
  who: Principal;
  access: AccessWatch;
  still: (who: Principal) => Promise<OpenRights | null>;
};

/** One reader of a session over SSE. Settles when the stream is over, for whatever reason. */
export class EventStream implements Follower, WatchedAccess {
  closed = false;
  who: Principal;
  readonly sessionId: string;
  private unsubscribe: () => void = () => undefined;
  /** The last event that was written. */
  private cursor = 0;

  constructor(private readonly options: StreamOptions) {
    this.who = options.who;
    this.sessionId = options.feed.sessionId;
  }

  async run(): Promise<void> {
    const { response, feed, source, after, access } = this.options;
    // Its reader may have gone while it was looked up who reads what, and a connection reports its end only once.
    if (response.destroyed) return;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write(`retry: ${RECONNECT_MS}\n\n`);
    metrics.socketsOpen.inc({ transport: 'sse' });
    const clock = new TokenClock(
      (expiresAtMs) => this.announceExpiry(expiresAtMs),
      () => this.endWith('token-expired'),
    );
    clock.set(this.who);
    const stopHeartbeat = every(HEARTBEAT_MS, () => response.write(': here\n\n'), { background: true });
    const unwatch = access.watch(this);
    // A connection that broke says so by closing as well.
    response.on('error', () => undefined);
    const over = new Promise<void>((resolve) =>
      response.once('close', () => {
        this.closed = true;
        resolve();
      }),
    );
    try {
      this.cursor = after;
      await followFeed(feed, source, after, this);
      await over;
    } finally {
      this.closed = true;
      this.unsubscribe();
      stopHeartbeat();
      clock.clear();
      unwatch();
      metrics.socketsOpen.dec({ transport: 'sse' });
      response.end();
    }
  }

  async write(events: Envelope[]): Promise<void> {
    const { response } = this.options;
    if (!this.send(events) && !response.destroyed) await drainedOrClosed(response);
  }

  goLive(): void {
    this.unsubscribe = this.options.feed.subscribe((events) => {
      if (this.options.response.writableLength > MAX_WAITING_BYTES) void this.fallBehind();
      else this.send(events);
    });
  }

  /** Ends the stream without a word, so that its reader comes back. */
  close(): void {
    this.closed = true;
    this.unsubscribe();
    this.options.response.end();
  }

  private send(events: Envelope[]): boolean {
    metrics.eventsDelivered.inc({ transport: 'sse' }, events.length);
    this.cursor = events.at(-1)?.id ?? this.cursor;
    return this.options.response.write(events.map(sseFrame).join(''));
  }

  still(who: Principal): Promise<OpenRights | null> {
    return this.options.still(who);
  }

  renew(who: Principal): void {
    this.who = who;
  }

  end(reason: 'signed-out' | 'no-access'): void {
    this.endWith(reason === 'signed-out' ? 'token-expired' : 'session-closed');
  }

  private announceExpiry(expiresAtMs: number): void {
    const data = JSON.stringify({ expiresAt: new Date(expiresAtMs).toISOString() });
    this.options.response.write(`event: token-expiring\ndata: ${data}\n\n`);
  }

  private endWith(event: 'token-expired' | 'session-closed'): void {
    this.closed = true;
    this.unsubscribe();
    this.options.response.end(`event: ${event}\ndata: {}\n\n`);
  }

  private async fallBehind(): Promise<void> {
    const { response, feed, source } = this.options;
    this.unsubscribe();
    metrics.clientResyncs.inc();
    await drainedOrClosed(response);
    await followFeed(feed, source, this.cursor, this).catch(() => this.close());
  }
}

function drainedOrClosed(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
