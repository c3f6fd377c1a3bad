import { ParkedProcessRepository, WorkerProcessRepository, type WorkerLife } from '@chirality/database';
import type { Config, Logger } from '@chirality/platform';
import type { LeaseThread } from '../lease';
import { EventBacklog } from '../process/event-backlog';
import { ProcessBook } from '../process/process-book';
import { ProcessPool } from '../process/process-pool';
import { ProcessStarter } from '../process/process-starter';
import type { WorkerDisk } from './create-session-disk';
import type { Network } from './create-network';
import type { Sandboxing } from './create-sandboxing';
import type { Storage } from './create-storage';

const PARKED_LIMITS = { maxTurns: 50, maxResidentBytes: 600 * 1024 * 1024 };

export type Pooling = ReturnType<typeof createPooling>;

/** The processes that wait for a turn, and what is recorded of all. `lease` answers the thread once it runs. */
export function createPooling(
  { parkedMs }: Config,
  self: WorkerLife,
  slots: number,
  { database, eventLog }: Storage,
  log: Logger,
  lease: () => LeaseThread | null,
) {
  const parked = new ParkedProcessRepository(database);
  const processes = new WorkerProcessRepository(database);
  const book = new ProcessBook({ self, parkedMs, processes, parked, eventLog, lease });
  const pool = new ProcessPool({ parkedMs, maxParked: slots, ...PARKED_LIMITS }, book, log);
  return { parked, book, pool };
}

export function createStarter(
  { eventLog }: Storage,
  { sandbox, harnesses }: Sandboxing,
  { gateway, egress }: Network,
  { book, pool }: Pooling,
  { config }: WorkerDisk,
): ProcessStarter {
  return new ProcessStarter(sandbox, gateway, egress, pool, new EventBacklog(eventLog), book, config, harnesses);
}
