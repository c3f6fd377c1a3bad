export const LEASE_TTL_MS = 30_000;
/**
 * More than two beats of a lease: a worker that was not heard from for this long may be gone, though its lease is good.
 */
export const SILENT_AFTER_MS = 4_500;

/**
 * One start of a worker. The id stays in its data directory; the life is random and new with every start, so that what
 * an earlier process sent, and what takes effect only now, is never taken for this one's.
 */
export interface WorkerLife {
  id: string;
  life: string;
}
