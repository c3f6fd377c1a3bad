import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { JOB_OPTIONS, QUEUE_PREFIX, TURNS_QUEUE } from './queue-catalog';
import { SHARED_WAKE_CHANNEL, wakeChannel } from './turn-wakes';
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
   * Adds the turn's wake-up, once while it waits. With `holderWorkerId`, the worker that alone may claim it is notified
   * directly, and a job is added only when it does not listen: another worker would find nothing. Never throws; false
   * when Redis did not take the wake-up, and then the reconciler or a worker's own look finds the turn.
   */
  async wake(turnId: string, holderWorkerId?: string | null): Promise<boolean> {
    if (holderWorkerId && (await this.publish(wakeChannel(holderWorkerId), turnId))) return true;
    // The job is taken by one worker, which may be full: the others hear of it too.
    void this.wakeAll(turnId);
    if (this.connection.status !== 'ready') return false;
    const added = this.queue.add('wake', { turnId }, { jobId: turnId }).then(
      () => true,
      () => false,
    );
    return withinMs(ADD_LIMIT_MS, added, false);
  }

  /** Has every worker look for turns, as when one cannot take what it was woken for. A hint; never throws. */
  async wakeAll(turnId: string): Promise<void> {
    await this.publish(SHARED_WAKE_CHANNEL, turnId);
  }

  private async publish(channel: string, turnId: string): Promise<boolean> {
    if (this.publisher.status !== 'ready') return false;
    const listeners = await this.publisher.publish(channel, turnId).catch(() => 0);
    return listeners > 0;
  }

  /** Wake-ups that wait and that a worker has in hand. */
  counts(): Promise<Record<string, number>> {
    return this.queue.getJobCounts('wait', 'active');
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}
