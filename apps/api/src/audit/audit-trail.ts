import { Inject, Injectable } from '@nestjs/common';
import { AuditRepository, type NewAuditEntry } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { Principal } from '../auth/principal';
import { LOG } from '../server/tokens';

export type AuditedAct = { action: string; object: string; detail?: Record<string, unknown> };

const RETRY_MS = 1_000;
const TRIES = 60;

/**
 * Writes down who did what, after it was done. The act stands, so a failure here never becomes the answer to it: the
 * entry is tried again for a minute, and put into the log if that was in vain.
 */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly entries: AuditRepository,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Settles after the first try; never rejects. */
  note(who: Principal, teamId: string | null, act: AuditedAct): Promise<void> {
    return this.record({ teamId, userId: who.user.id, userName: who.user.name, ...act });
  }

  async record(entry: NewAuditEntry, triesLeft = TRIES): Promise<void> {
    try {
      await this.entries.record(entry);
    } catch (error) {
      if (triesLeft <= 1) return this.log.error({ err: error, entry }, 'an audit entry could not be stored');
      setTimeout(() => void this.record(entry, triesLeft - 1), RETRY_MS).unref();
    }
  }
}
