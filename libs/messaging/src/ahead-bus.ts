import { aheadAskSchema, type AheadAsk } from '@chirality/contracts';
import type { Redis } from 'ioredis';
import type { ChannelSubscriber, Unsubscribe } from './channel-subscriber';

const channelOf = (workerId: string) => `worker:${workerId}:ahead`;

/** Asks a worker for a process ahead of a session's next turn. A hint: what is lost here costs that turn a cold start. */
export class AheadBus {
  constructor(
    private readonly publisher: Redis,
    private readonly subscriber: ChannelSubscriber,
  ) {}

  /** Never throws and never waits. */
  publish(workerId: string, ask: AheadAsk): void {
    if (this.publisher.status !== 'ready') return;
    void this.publisher.publish(channelOf(workerId), JSON.stringify(ask)).catch(() => undefined);
  }

  /** What is not an ask is ignored. */
  subscribe(workerId: string, handler: (ask: AheadAsk) => void): Unsubscribe {
    return this.subscriber.subscribe(channelOf(workerId), (message) => {
      const ask = aheadAskSchema.safeParse(JSON.parse(message));
      if (ask.success) handler(ask.data);
    });
  }
}
