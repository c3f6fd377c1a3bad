import type { Redis } from 'ioredis';
import type { ChannelSubscriber, Unsubscribe } from './channel-subscriber';

const CHANNEL = 'access-changes';

/** Whose rights changed, which sign-in ended, or who may see which session; what is not named may be any. */
export type AccessChange = { userId?: string; familyId?: string; sessionId?: string };

/** Tells every api process that somebody's rights changed, so that open connections are checked at once. A hint. */
export class AccessBus {
  constructor(
    private readonly publisher: Redis,
    private readonly subscriber: ChannelSubscriber,
  ) {}

  /** Never throws and never waits. */
  publish(change: AccessChange): void {
    if (this.publisher.status !== 'ready') return;
    void this.publisher.publish(CHANNEL, JSON.stringify(change)).catch(() => undefined);
  }

  subscribe(handler: (change: AccessChange) => void): Unsubscribe {
    return this.subscriber.subscribe(CHANNEL, (message) => handler(JSON.parse(message) as AccessChange));
  }

  /** False while changes of other processes do not arrive: check more often meanwhile. */
  get isConnected(): boolean {
    return this.subscriber.isConnected;
  }
}
