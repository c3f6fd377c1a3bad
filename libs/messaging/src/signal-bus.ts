import { turnSignalSchema, type TurnSignal } from '@chirality/contracts';
import type { Redis } from 'ioredis';
import type { ChannelSubscriber, Unsubscribe } from './channel-subscriber';

const channelOf = (workerId: string) => `worker:${workerId}:signals`;

/** Tells a worker that a row of one of its turns has changed: an interrupt or an answer. The row is the truth. */
export class SignalBus {
  constructor(
    private readonly publisher: Redis,
    private readonly subscriber: ChannelSubscriber,
  ) {}

  /** Never throws and never waits. */
  publish(workerId: string, signal: TurnSignal): void {
    if (this.publisher.status !== 'ready') return;
    void this.publisher.publish(channelOf(workerId), JSON.stringify(signal)).catch(() => undefined);
  }

  /** What is not a signal is ignored. */
  subscribe(workerId: string, handler: (signal: TurnSignal) => void): Unsubscribe {
    return this.subscriber.subscribe(channelOf(workerId), (message) => {
      const signal = turnSignalSchema.safeParse(JSON.parse(message));
      if (signal.success) handler(signal.data);
    });
  }

  /** False while signals do not arrive: re-read the rows each second meanwhile. */
  get isConnected(): boolean {
    return this.subscriber.isConnected;
  }

  onReconnected(handler: () => void): () => void {
    return this.subscriber.onReconnected(handler);
  }
}
