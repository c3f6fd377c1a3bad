import type { WorkerLife } from '@chirality/database';
import type { RegisteredProcess } from '@chirality/platform';
import type { LeaseTimes } from './lease-keeper';

export interface LeaseThreadData {
  databaseUrl: string;
  worker: WorkerLife;
  ttlMs: number;
  times: LeaseTimes;
  /** One signed 64-bit number: when, by that clock, the main loop last turned. */
  tick: SharedArrayBuffer;
}

export type ToLeaseThread =
  /** In nanoseconds of the system's monotonic clock, which all threads share. */
  | { type: 'hold'; securedAtNs: bigint }
  | { type: 'watch'; process: RegisteredProcess }
  | { type: 'unwatch'; pid: number }
  | { type: 'stop' };
export type FromLeaseThread = { type: 'ready' } | { type: 'lost'; reason: string; killed: number[] };
