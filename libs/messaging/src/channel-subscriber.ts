import type { Redis } from 'ioredis';
import { withinMs } from './within';

type Handler = (message: string) => void;

/** Call it to end the subscription at once: its handler hears nothing more. Nothing here rejects. */
export interface Unsubscribe {
  (): void;
  /** Whether messages flow by now; false when Redis is away. */
  ready: Promise<boolean>;
  /** Ends it once Redis sends nothing more, or soon: until then the handler hears what was counted as received. */
  drain(): Promise<void>;
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
    const drain = async () => {
      if (this.isConnected && handlers.size === 1) await this.confirmed(this.redis.unsubscribe(channel));
      unsubscribe();
    };
    // Asked also when others listen already: the answer comes after the one to the first request.
    const ready = this.isConnected ? this.confirmed(this.redis.subscribe(channel)) : Promise.resolve(false);
    return Object.assign(unsubscribe, { ready, drain });
  }

  /** A message is only a hint: one that cannot be read must not end the process, nor keep others from hearing it. */
  private handOver(handler: Handler, message: string): void {
    try {
      handler(message);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  private confirmed(asked: Promise<unknown>): Promise<boolean> {
    const confirmed = asked.then(
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
