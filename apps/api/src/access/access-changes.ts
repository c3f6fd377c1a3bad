import { Inject, Injectable } from '@nestjs/common';
import { ForbiddenTurnRepository } from '@chirality/database';
import type { AccessChange } from '@chirality/contracts';
import { AccessChannel } from '@chirality/messaging';
import { LOG, type Logger } from '@chirality/platform';
import { AccessWatch } from './access-watch';

/** Applies a change of a user's rights to open connections: here at once, on other nodes by a hint. */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly watch: AccessWatch,
    private readonly forbidden: ForbiddenTurnRepository,
    @Inject(LOG) private readonly log: Logger,
    private readonly channel: AccessChannel,
  ) {}

  /** Call it after the change is committed. Never throws. */
  tell(change: AccessChange): void {
    void this.watch.changed(change);
    this.channel.publish(change);
  }

  /**
   * The same where a user may now do less: what they have queued is cancelled too, and workers end what runs for them.
   * Call it after the change is committed. Never rejects: what fails here is found by the pollers of the rows.
   */
  async revoke(change: AccessChange): Promise<void> {
    this.tell(change);
    await this.forbidden
      .cancel()
      .catch((error: unknown) => this.log.warn({ err: error }, 'access.turns_not_cancelled'));
  }
}
