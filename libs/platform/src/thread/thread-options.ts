import type { WorkerOptions } from 'node:worker_threads';

/** How a thread of the built program is started. Jest puts in its place how one is started from the sources. */
export const THREAD_OPTIONS: WorkerOptions = {};
