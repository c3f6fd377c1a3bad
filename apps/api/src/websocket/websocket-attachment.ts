import type { Envelope } from '@chirality/contracts';
import { metrics } from '@chirality/platform';
import type { WebSocket } from 'ws';
import { pagesBySize, type Follower } from '../event/follow-feed';
import type { SessionFeed } from '../event/session-feed';

/** Above this a client that receives live events is too slow. */
export const PRESSURE_LIMIT_BYTES = 2 * 1024 * 1024;

/** An event is written once, however many connections it goes to. */
const written = new WeakMap<Envelope, string>();

function eventFrame(event: Envelope): string {
  const known = written.get(event);
  if (known !== undefined) return known;
  const text = `{"frame":"event","body":${JSON.stringify(event)}}`;
  written.set(event, text);
  return text;
}

/** One connection's place in one session: first behind, reading the log at its own pace; then live. */
export class WebsocketAttachment implements Follower {
  closed = false;
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly feed: SessionFeed,
    private readonly onTooSlow: () => void,
  ) {}

  /** Settles once the network has taken the page, so that a slow reader is read for no faster than it reads. */
  async write(events: Envelope[]): Promise<void> {
    for (const page of pagesBySize(events)) {
      if (this.closed) return;
      await new Promise<void>((resolve) => {
        page.forEach((event, at) => this.send(event, at === page.length - 1 ? () => resolve() : undefined));
      });
    }
  }

  goLive(): void {
    this.unsubscribe = this.feed.subscribe((events) => {
      for (const event of events) this.send(event);
      if (this.socket.bufferedAmount > PRESSURE_LIMIT_BYTES) this.onTooSlow();
    });
  }

  close(): void {
    this.closed = true;
    this.unsubscribe();
  }

  private send(event: Envelope, taken?: () => void): void {
    metrics.eventsDelivered.inc({ transport: 'websocket' });
    this.socket.send(eventFrame(event), taken);
  }
}
