import type { DefaultJobOptions, WorkerOptions } from 'bullmq';

/** Namespace of all keys that BullMQ makes. */
export const QUEUE_PREFIX = 'chirality';

export const TURNS_QUEUE = 'turns';

/** A finished job leaves nothing behind: its id may come again, and must then be a new job. */
export const JOB_OPTIONS: DefaultJobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** A worker that has not renewed its hold on a job for this long is taken for dead. */
export const SILENT_CONSUMER_MS = 15_000;

/**
 * A job whose worker died is removed, not run again: the lease in Postgres decides what becomes of its turn.
 */
export function consumerOptions(silentMs: number) {
  return {
    prefix: QUEUE_PREFIX,
    maxStalledCount: 0,
    stalledInterval: silentMs / 3,
    lockDuration: silentMs,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    // BullMQ's default waits 15 s after Redis came back.
    runRetryDelay: 1_000,
  } satisfies Partial<WorkerOptions>;
}
