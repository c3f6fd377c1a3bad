import type { ParkedProcessRepository } from '@chirality/database';
import type { Messaging } from '@chirality/messaging';
import { coalesced, every, joined, type Logger } from '@chirality/platform';
import type { ProcessPool } from '../process/process-pool';
import type { AheadStarter } from './ahead-starter';
import { MEMORY_RESERVE_BYTES } from './available-memory';

const MEMORY_EVERY_MS = 2_000;
const RIGHTS_EVERY_MS = 30_000;

interface Parts {
  workerId: string;
  pool: Pick<ProcessPool, 'relieve' | 'evict' | 'has'>;
  ahead: Pick<AheadStarter, 'start' | 'stop'>;
  parked: Pick<ParkedProcessRepository, 'listForbidden' | 'removeLeftovers'>;
  messaging: Pick<Messaging, 'ahead' | 'access'>;
  availableBytes(): number;
  log: Logger;
}

/**
 * Looks after processes that wait: starts some ahead when asked to, and ends those whose person may no longer send a
 * turn, at a hint and every half minute, and the least recently used ones while memory is short.
 */
export class WaitingProcesses {
  private readonly stops: (() => void)[] = [];

  constructor(private readonly parts: Parts) {}

  start(): void {
    const { workerId, messaging, ahead, parked, log } = this.parts;
    void parked
      .removeLeftovers(workerId)
      .catch((error: Error) => log.warn({ err: error }, 'process.leftovers_not_removed'));
    this.stops.push(
      every(RIGHTS_EVERY_MS, this.checkRights),
      every(MEMORY_EVERY_MS, this.checkMemory),
      messaging.ahead.subscribe(workerId, (ask) => void ahead.start(ask)),
      messaging.access.subscribe(() => void this.checkRights()),
    );
  }

  /** Resolves when no start is under way. */
  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    await this.parts.ahead.stop();
  }

  /** Never rejects. */
  readonly checkRights = coalesced(async () => {
    const { workerId, parked, pool, log } = this.parts;
    try {
      for (const { sessionId, reason } of await parked.listForbidden(workerId))
        if (pool.has(sessionId)) await pool.evict(sessionId, reason);
    } catch (error) {
      log.warn({ err: error }, 'process.rights_not_checked');
    }
  });

  /** Ends one that waits while memory is short. */
  readonly checkMemory = joined(async () => {
    if (this.parts.availableBytes() < MEMORY_RESERVE_BYTES) await this.parts.pool.relieve();
  });
}
