import type { Redis } from 'ioredis';
import type { ChannelSubscriber, Unsubscribe } from './channel-subscriber';

const CHANNEL = 'presence-changes';

/** Tells every api process that somebody came to a session, left it or types in it. A hint: the rows say who is there. */
export class PresenceBus {
  constructor(
    private readonly publisher: Redis,
    private readonly subscriber: ChannelSubscriber,
  ) {}

  /** Never throws and never waits. */
  publish(sessionId: string): void {
    if (this.publisher.status !== 'ready') return;
    void this.publisher.publish(CHANNEL, sessionId).catch(() => undefined);
  }

  subscribe(handler: (sessionId: string) => void): Unsubscribe {
    return this.subscriber.subscribe(CHANNEL, handler);
  }
}
