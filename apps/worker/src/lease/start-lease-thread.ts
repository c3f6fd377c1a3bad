import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { LEASE_TTL_MS, type WorkerLife } from '@chirality/database';
import { killProcessIfSame, type RegisteredProcess } from '@chirality/platform';
import type { LeaseTimes } from './lease-keeper';
import type { FromLeaseThread, LeaseThreadData, ToLeaseThread } from './lease-messages';

export interface LeaseThreadOptions {
  databaseUrl: string;
  worker: WorkerLife;
  ttlMs?: number;
  times?: Partial<LeaseTimes> | undefined;
  /** The lease is lost and every watched process was killed. Called once; the worker must not write as before. */
  onLost(reason: string): void;
  thread?: WorkerOptions;
}

export interface LeaseThread {
  /**
   * Renews from now on. `securedAtNs`: `process.hrtime.bigint()` from before the request that registered the worker was
   * sent.
   */
  hold(securedAtNs: bigint): void;
  /** Says that the main loop turns. A timer does it too. */
  tick(): void;
  /** Has the process killed should the lease be lost. */
  watch(process: RegisteredProcess): void;
  unwatch(pid: number): void;
  /** Ends the renewals; the lease then runs out. Does not call `onLost`. */
  stop(): Promise<void>;
}

/** A worker that could not renew for this long ends its processes, and itself. */
export const LEASE_GIVE_UP_MS = 20_000;

const DEFAULT_TIMES: LeaseTimes = { beatMs: 2_000, retryMs: 1_000, giveUpMs: LEASE_GIVE_UP_MS, stalledMs: 5_000 };
const TICK_EVERY_MS = 500;
/** Without its thread a worker must not register, and must not wait for ever. */
const START_LIMIT_MS = 60_000;

/**
 * Keeps a worker's lease from a thread with a separate connection. The thread renews only while this one's loop
 * turns, and when the lease is lost it kills the watched processes itself, before it reports the loss.
 * Resolves once the thread runs, which takes a second of processor time, and on a busy machine longer than a lease is
 * good for: so the worker registers afterwards, and then has it held. Rejects when the thread does not start.
 */
export async function startLeaseThread(options: LeaseThreadOptions): Promise<LeaseThread> {
  const times = { ...DEFAULT_TIMES, ...options.times };
  const shared = new SharedArrayBuffer(8);
  const lastTick = new BigInt64Array(shared);
  const watched = new Map<number, RegisteredProcess>();
  let over = false;

  const tick = (): void => void Atomics.store(lastTick, 0, process.hrtime.bigint());
  tick();
  const ticking = setInterval(tick, Math.min(TICK_EVERY_MS, times.stalledMs / 4));

  const data: LeaseThreadData = {
    databaseUrl: options.databaseUrl,
    worker: options.worker,
    ttlMs: options.ttlMs ?? LEASE_TTL_MS,
    times,
    tick: shared,
  };
  const thread = new Worker(join(__dirname, `lease-thread${extname(__filename)}`), {
    env: {},
    ...options.thread,
    workerData: data,
  });
  const say = (message: ToLeaseThread): void => thread.postMessage(message);

  const lose = (reason: string): void => {
    if (over) return;
    over = true;
    clearInterval(ticking);
    options.onLost(reason);
  };
  thread.on('message', (message: FromLeaseThread) => {
    if (message.type === 'lost') lose(message.reason);
  });
  // Without the thread the lease is not renewed and nothing would end the processes.
  const died = (reason: string): void => {
    if (over) return;
    for (const each of watched.values()) killProcessIfSame(each);
    lose(reason);
  };
  thread.on('error', (error) => died(`The lease's thread failed: ${error.message}`));
  thread.on('exit', () => died("The lease's thread ended."));

  await once(thread, 'message', { signal: AbortSignal.timeout(START_LIMIT_MS) });
  return {
    tick,
    hold: (securedAtNs) => say({ type: 'hold', securedAtNs }),
    watch: (process_) => {
      watched.set(process_.pid, process_);
      say({ type: 'watch', process: process_ });
    },
    unwatch: (pid) => {
      watched.delete(pid);
      say({ type: 'unwatch', pid });
    },
    stop: async () => {
      over = true;
      clearInterval(ticking);
      const exited = once(thread, 'exit');
      say({ type: 'stop' });
      await exited;
    },
  };
}
