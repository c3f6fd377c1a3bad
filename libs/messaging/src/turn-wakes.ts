import { turnWakeJobSchema } from '@chirality/contracts';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ChannelSubscriber } from './channel-subscriber';
import { closeConsumer } from './close-consumer';
import { consumerOptions, TURNS_QUEUE } from './queue-catalog';

/** Heard by every worker. */
export const SHARED_WAKE_CHANNEL = 'workers:wake';
export const wakeChannel = (workerId: string) => `worker:${workerId}:wake`;

export interface TurnWakes {
  close(): Promise<void>;
}

interface TurnWakesOptions {
  /** Also hears the wake-ups that are meant for this worker alone. */
  workerId?: string | undefined;
  /** Awaited before a wake-up that is meant for any worker is handled: who has more to do may leave it to others. */
  yieldToOthers?: (() => Promise<void>) | undefined;
  silentMs: number;
  onError(error: Error): void;
}

/**
 * Calls `handler` for each wake-up; `isShared`: it was meant for any worker. It should claim what it can and return
 * soon; what it throws goes to `onError` and ends the wake-up all the same. The same turn may be named more than once,
 * and may be gone already.
 */
export function serveTurnWakes(
  connection: Redis,
  subscriber: ChannelSubscriber,
  handler: (turnId: string, isShared: boolean) => Promise<void>,
  { workerId, yieldToOthers = () => Promise.resolve(), silentMs, onError }: TurnWakesOptions,
): TurnWakes {
  const guarded = (turnId: string, isShared = false) => handler(turnId, isShared).catch(onError);
  const shared = async (turnId: string) => {
    await yieldToOthers();
    await guarded(turnId, true);
  };
  const consumer = new Worker(TURNS_QUEUE, async (job) => shared(turnWakeJobSchema.parse(job.data).turnId), {
    ...consumerOptions(silentMs),
    connection,
    concurrency: 8,
  });
  consumer.on('error', onError);
  const unsubscribe = workerId
    ? [
        subscriber.subscribe(wakeChannel(workerId), (turnId) => void guarded(turnId)),
        subscriber.subscribe(SHARED_WAKE_CHANNEL, (turnId) => void shared(turnId)),
      ]
    : [];
  return {
    close: async () => {
      for (const end of unsubscribe) end();
      await closeConsumer(consumer);
    },
  };
}
