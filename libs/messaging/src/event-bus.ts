import type { Envelope } from '@chirality/contracts';
import type { Unsubscribe } from './channel-subscriber';
import { publishHint, type HintWires } from './hint-channel';

const channelOf = (sessionId: string) => `session:${sessionId}`;

/**
 * Tells the processes that watch a session of committed events. A hint: what is lost here is read from Postgres by
 * a process that sees a gap in the ids or learns that its connection was away.
 */
export class EventBus {
  constructor(private readonly wires: HintWires) {}

  /** Never throws and never waits. */
  publish(sessionId: string, envelopes: Envelope[]): void {
    if (envelopes.length > 0) publishHint(this.wires, channelOf(sessionId), envelopes);
  }

  /** Events of one message are in the order of their ids; messages of different writers may overtake each other. */
  subscribe(sessionId: string, handler: (envelopes: Envelope[]) => void): Unsubscribe {
    return this.wires.subscriber.subscribe(channelOf(sessionId), (message) =>
      handler(JSON.parse(message) as Envelope[]),
    );
  }

  /** False while published events do not arrive here: poll the log meanwhile. */
  get isConnected(): boolean {
    return this.wires.subscriber.isConnected;
  }

  /** The connection was lost and is back, with all channels subscribed: read the log from where you are. */
  onReconnected(handler: () => void): () => void {
    return this.wires.subscriber.onReconnected(handler);
  }
}
