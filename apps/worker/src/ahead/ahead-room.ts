import type { ProcessPool } from '../process/process-pool';
import type { TurnScheduler } from '../run/turn-scheduler';
import type { SandboxWatch } from '../sandbox/sandbox-watch';
import { availableBytes, MEMORY_RESERVE_BYTES } from './available-memory';

/** What one more process takes. */
const PROCESS_BYTES = 300 * 1024 * 1024;

/** Whether a turn could start here now, and one more process has room, in the pool and in memory. */
export class AheadRoom {
  /** `parking`: whether a process may wait for its session's next turn. */
  constructor(
    private readonly parking: boolean,
    private readonly sandbox: Pick<SandboxWatch, 'isProven'>,
    private readonly pool: Pick<ProcessPool, 'hasRoom'>,
    private readonly scheduler: Pick<TurnScheduler, 'hasFreeSlot'>,
  ) {}

  get isThere(): boolean {
    return (
      this.parking &&
      this.sandbox.isProven &&
      this.pool.hasRoom &&
      this.scheduler.hasFreeSlot() &&
      availableBytes() >= MEMORY_RESERVE_BYTES + PROCESS_BYTES
    );
  }
}
