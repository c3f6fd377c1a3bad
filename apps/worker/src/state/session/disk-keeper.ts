import type { Logger } from '@chirality/platform';
import type { DiskReserve } from '../copy/disk-reserve';
import type { SessionCache } from '../copy/session-cache';
import type { SessionDisk } from './session-disk';

const EVICT_EVERY_MS = 600_000;

/** The housekeeping of a worker's disk, to be called again and again. */
export class DiskKeeper {
  private running: Promise<void> = Promise.resolve();
  private started = false;
  private evictAfter = 0;

  constructor(
    private readonly parts: {
      disk: SessionDisk;
      cache: SessionCache;
      reserve: Pick<DiskReserve, 'keep'>;
      log: Logger;
      clock?: () => number;
    },
  ) {}

  /**
   * Stores what could not be stored before, removes what is gone for good, and meets the cache's limits: every ten
   * minutes, or at once when the disk has too little room; where there is plenty, some is kept back. The first call
   * also looks for what an earlier life of this worker left. A call during another one joins it. Never throws.
   */
  tend(): Promise<void> {
    this.running = this.running
      .then(() => this.round())
      .catch((error: unknown) => this.parts.log.warn({ err: error }, 'disk.not_tended'));
    return this.running;
  }

  private async round(): Promise<void> {
    const { disk, cache, reserve, log, clock = () => performance.now() } = this.parts;
    if (!this.started) {
      this.started = true;
      await cache.sweepUnfinished();
      await disk.findLeftovers();
    }
    const left = await disk.storeLeftovers();
    if (left > 0) log.warn({ sessions: left }, 'state.not_stored_yet');
    await reserve.keep();
    if (clock() < this.evictAfter && !(await cache.isCrowded())) return;
    this.evictAfter = clock() + EVICT_EVERY_MS;
    const forgotten = await cache.forgetPurged();
    if (forgotten > 0) log.info({ copies: forgotten }, 'disk.copies_of_deleted_removed');
    const evicted = await cache.evict();
    if (evicted.length > 0) log.info({ sessions: evicted.length }, 'disk.copies_evicted');
  }
}
