import { Inject, Injectable } from '@nestjs/common';
import type { AccessChange, Messaging } from '@chirality/messaging';
import { MESSAGING } from '../server/tokens';
import { AccessWatch } from './access-watch';

/** Makes a change of somebody's rights felt by open connections: here at once, on other nodes by a hint. */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly watch: AccessWatch,
    @Inject(MESSAGING) private readonly messaging: Messaging,
  ) {}

  /** Call it after the change is committed. Never throws. */
  tell(change: AccessChange): void {
    void this.watch.changed(change);
    this.messaging.access.publish(change);
  }
}
