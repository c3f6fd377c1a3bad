import { turnWakeJobSchema } from '@chirality/contracts';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ChannelSubscriber } from './channel-subscriber';
import { closeConsumer } from './close-consumer';
import { consumerOptions, TURNS_QUEUE } from './queue-catalog';

export const wakeChannel = (workerId: string) => `worker:${workerId}:wake`;

export interface TurnWakes {
  /** Takes no wake-ups for now, so that they go to workers with a free slot. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface TurnWakesOptions {
  /** Also hears the wake-ups that are meant for this worker alone; those come even while paused. */
  workerId?: string;
  silentMs: number;
  onError(error: Error): void;
}

/**
 * Calls `handler` for each wake-up. It should claim what it can and return soon; that it throws is told to `onError`
 * and ends the wake-up all the same. The same turn may be named more than once, and need not be there any more.
 */
export function serveTurnWakes(
  connection: Redis,
  subscriber: ChannelSubscriber,
  handler: (turnId: string) => Promise<void>,
  { workerId, silentMs, onError }: TurnWakesOptions,
): TurnWakes {
  const guarded = (turnId: string) => handler(turnId).catch(onError);
  const consumer = new Worker(TURNS_QUEUE, async (job) => guarded(turnWakeJobSchema.parse(job.data).turnId), {
    ...consumerOptions(silentMs),
    connection,
    concurrency: 8,
  });
  consumer.on('error', onError);
  const unsubscribe = workerId ? subscriber.subscribe(wakeChannel(workerId), (turnId) => void guarded(turnId)) : undefined;
  return {
    pause: () => consumer.pause(true),
    resume: () => consumer.resume(),
    close: async () => {
      unsubscribe?.();
      await closeConsumer(consumer);
    },
  };
}
