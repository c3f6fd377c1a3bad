import type { EventLogWriter } from '@chirality/database';
import type { Backlog } from '../harness/harness';

/** Unwritten events above which nothing more is read from the processes, and below which reading continues. */
const BACKLOG_BYTES = { full: 8 * 1024 * 1024, drained: 2 * 1024 * 1024 };

/** Holds the processes back while what was read of them cannot be stored. */
export class EventBacklog implements Backlog {
  constructor(private readonly eventLog: Pick<EventLogWriter, 'pendingBytes' | 'whenBelow'>) {}

  isFull(): boolean {
    return this.eventLog.pendingBytes() > BACKLOG_BYTES.full;
  }

  whenDrained(): Promise<void> {
    return this.eventLog.whenBelow(BACKLOG_BYTES.drained);
  }
}
