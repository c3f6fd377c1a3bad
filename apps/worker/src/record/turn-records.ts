import type { ClaimedTurn, EventLogWriter } from '@chirality/database';
import type { BlobStore, Logger } from '@chirality/platform';
import { ActiveTurn } from './active-turn';

/** Opens the record of a claimed turn, and stores what is stored of it after its end. */
export class TurnRecords {
  constructor(
    private readonly workerId: string,
    private readonly eventLog: Pick<EventLogWriter, 'append'>,
    private readonly rawLogRoot: string,
    private readonly blobs: BlobStore,
    private readonly log: Logger,
  ) {}

  open(claimed: ClaimedTurn): ActiveTurn {
    const log = this.log.child({ session: claimed.sessionId, turn: claimed.id });
    return new ActiveTurn(claimed, this.workerId, log, this.eventLog, this.rawLogRoot);
  }

  /** What the program wrote, for those who may read it. */
  keepRawLog(turn: ActiveTurn): void {
    void turn.rawLog.store(this.blobs);
  }
}
