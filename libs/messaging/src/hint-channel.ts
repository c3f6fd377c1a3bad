import type { Redis } from 'ioredis';
import type { ChannelSubscriber, Unsubscribe } from './channel-subscriber';

/** The connections that hints take. */
export type HintWires = { publisher: Redis; subscriber: ChannelSubscriber };

/** What tells whether a message is a hint of the kind: a schema of the contracts. */
type HintSchema<Hint> = { safeParse(message: unknown): { success: true; data: Hint } | { success: false } };

class HintConnection {
  constructor(protected readonly wires: HintWires) {}

  /** False while hints of other processes do not arrive: look more often meanwhile. */
  get isConnected(): boolean {
    return this.wires.subscriber.isConnected;
  }

  /** The connection was lost and is back: look at once. */
  onReconnected(handler: () => void): () => void {
    return this.wires.subscriber.onReconnected(handler);
  }
}

/**
 * Hints of one kind, told to all processes that listen. A hint may be lost and says nothing that a row does not say; a
 * message that the schema refuses is ignored.
 */
export class HintChannel<Hint> extends HintConnection {
  constructor(
    wires: HintWires,
    private readonly name: string,
    private readonly schema: HintSchema<Hint>,
  ) {
    super(wires);
  }

  /** Never throws and never waits. */
  publish(hint: Hint): void {
    publishHint(this.wires, this.name, hint);
  }

  subscribe(handler: (hint: Hint) => void): Unsubscribe {
    return subscribeHint(this.wires, this.name, this.schema, handler);
  }
}

/** The same for one process, which listens under its key. */
export class KeyedHintChannel<Hint> extends HintConnection {
  constructor(
    wires: HintWires,
    private readonly nameOf: (key: string) => string,
    private readonly schema: HintSchema<Hint>,
  ) {
    super(wires);
  }

  /** Never throws and never waits. */
  publish(key: string, hint: Hint): void {
    publishHint(this.wires, this.nameOf(key), hint);
  }

  subscribe(key: string, handler: (hint: Hint) => void): Unsubscribe {
    return subscribeHint(this.wires, this.nameOf(key), this.schema, handler);
  }
}

/** Drops the hint while Redis is away. */
export function publishHint({ publisher }: HintWires, channel: string, hint: unknown): void {
  if (publisher.status !== 'ready') return;
  void publisher.publish(channel, JSON.stringify(hint)).catch(() => undefined);
}

function subscribeHint<Hint>(
  { subscriber }: HintWires,
  channel: string,
  schema: HintSchema<Hint>,
  handler: (hint: Hint) => void,
): Unsubscribe {
  return subscriber.subscribe(channel, (message) => {
    const hint = schema.safeParse(JSON.parse(message));
    if (hint.success) handler(hint.data);
  });
}
