import { Inject, Injectable } from '@nestjs/common';
import type { AuditAction } from '@chirality/contracts';
import { AuditRepository, type NewAuditEntry } from '@chirality/database';
import { LOG, type Logger } from '@chirality/platform';
import type { Principal } from '../access/principal';

export type AuditedAct = { action: AuditAction; object: string; detail?: Record<string, unknown> };

const RETRY_MS = 1_000;
const TRIES = 60;

/**
 * Records who did what, after it was done. The act stands, so a failure here never becomes the answer to it: the
 * entry is tried again for a minute, and put into the log if that fails.
 */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly entries: AuditRepository,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Settles after the first try; never rejects. */
  note(who: Principal, teamId: string | null, act: AuditedAct): Promise<void> {
    return this.record({
      teamId,
      userId: who.user.id,
      userName: who.user.name,
      ...act,
      ...(who.token === undefined
        ? {}
        : { detail: { ...act.detail, token: { id: who.token.id, name: who.token.name } } }),
    });
  }

  record(entry: NewAuditEntry): Promise<void> {
    return this.keepTrying(entry, () => this.entries.record(entry));
  }

  /** What a person did outside of any one team: it stands in the log of each of theirs. */
  recordForPerson(userId: string, act: AuditedAct): Promise<void> {
    return this.keepTrying({ userId, ...act }, () => this.entries.recordForPerson(userId, act));
  }

  private async keepTrying(entry: object, store: () => Promise<void>, triesLeft = TRIES): Promise<void> {
    try {
      await store();
    } catch (error) {
      if (triesLeft <= 1) return this.log.error({ err: error, entry }, 'audit.not_stored');
      setTimeout(() => void this.keepTrying(entry, store, triesLeft - 1), RETRY_MS).unref();
    }
  }
}
