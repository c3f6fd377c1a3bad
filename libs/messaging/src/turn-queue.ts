import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { JOB_OPTIONS, QUEUE_PREFIX, TURNS_QUEUE } from './queue-catalog';
import { wakeChannel } from './turn-wakes';
import { withinMs } from './within';

/** Longest wait for Redis to take a job. */
const ADD_LIMIT_MS = 1_000;

/** Wakes workers for turns that are already committed as queued. */
export class TurnQueue {
  private readonly queue: Queue;

  constructor(
    private readonly connection: Redis,
    private readonly publisher: Redis,
    onError: (error: Error) => void,
  ) {
    this.queue = new Queue(TURNS_QUEUE, { connection, prefix: QUEUE_PREFIX, defaultJobOptions: JOB_OPTIONS });
    this.queue.on('error', onError);
  }

  /**
   * Adds the turn's wake-up, once while it waits. With `holderWorkerId`, the worker that alone may claim it is also told
   * directly, for the job may reach another. Never throws; false when Redis did not take the job, and then the
   * reconciler or a worker's own look finds the turn.
   */
  async wake(turnId: string, holderWorkerId?: string | null): Promise<boolean> {
    if (holderWorkerId && this.publisher.status === 'ready') {
      void this.publisher.publish(wakeChannel(holderWorkerId), turnId).catch(() => undefined);
    }
    if (this.connection.status !== 'ready') return false;
    const added = this.queue.add('wake', { turnId }, { jobId: turnId }).then(
      () => true,
      () => false,
    );
    return withinMs(ADD_LIMIT_MS, added, false);
  }

  /** Wake-ups that wait and that a worker has in hand. */
  counts(): Promise<Record<string, number>> {
    return this.queue.getJobCounts('wait', 'active');
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}
