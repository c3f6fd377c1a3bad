import type { Redis } from 'ioredis';
import { withinMs } from './within';

type Handler = (message: string) => void;

/**
 * Call it to end the subscription. `ready` says whether messages flow by now; false when Redis is away. It never
 * rejects.
 */
export interface Unsubscribe {
  (): void;
  ready: Promise<boolean>;
}

const READY_LIMIT_MS = 1_000;

/**
 * Pub/sub over one connection. Channels are subscribed again automatically when the connection returns; what was
 * published meanwhile is gone, which `onReconnected` reports, after the channels are subscribed again.
 */
export class ChannelSubscriber {
  private readonly handlers = new Map<string, Set<Handler>>();
  private readonly reconnectedHandlers = new Set<() => void>();
  private wasReady = false;

  constructor(
    private readonly redis: Redis,
    private readonly onError: (error: Error) => void = () => undefined,
  ) {
    redis.on('ready', () => void this.resubscribe());
    redis.on('message', (channel: string, message: string) => {
      for (const handler of [...(this.handlers.get(channel) ?? [])]) this.handOver(handler, message);
    });
  }

  get isConnected(): boolean {
    return this.redis.status === 'ready';
  }

  onReconnected(handler: () => void): () => void {
    this.reconnectedHandlers.add(handler);
    return () => this.reconnectedHandlers.delete(handler);
  }

  subscribe(channel: string, handler: Handler): Unsubscribe {
    const handlers = this.handlers.get(channel) ?? new Set();
    this.handlers.set(channel, handlers.add(handler));
    const unsubscribe = () => {
      handlers.delete(handler);
      if (handlers.size > 0 || this.handlers.get(channel) !== handlers) return;
      this.handlers.delete(channel);
      if (this.isConnected) void this.redis.unsubscribe(channel).catch(() => undefined);
    };
    // Asked also when others listen already: the answer comes after the one to the first request.
    return Object.assign(unsubscribe, { ready: this.confirm(channel) });
  }

  /** A message is only a hint: one that cannot be read must not end the process, nor keep others from hearing it. */
  private handOver(handler: Handler, message: string): void {
    try {
      handler(message);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  private async confirm(channel: string): Promise<boolean> {
    if (!this.isConnected) return false;
    const confirmed = this.redis.subscribe(channel).then(
      () => true,
      () => false,
    );
    return withinMs(READY_LIMIT_MS, confirmed, false);
  }

  private async resubscribe(): Promise<void> {
    const channels = [...this.handlers.keys()];
    try {
      if (channels.length > 0) await this.redis.subscribe(...channels);
    } catch {
      // The connection was lost again; the next `ready` comes here once more.
      return;
    }
    if (this.wasReady) for (const handler of [...this.reconnectedHandlers]) handler();
    this.wasReady = true;
  }
}
