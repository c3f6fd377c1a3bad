import { Inject, Injectable } from '@nestjs/common';
import { TurnRepository } from '@chirality/database';
import type { Messaging } from '@chirality/messaging';
import { MESSAGING } from '../server/tokens';

/** Has the requests that wait in a project settled at once by a rule or a switch that was changed meanwhile. */
@Injectable()
export class PolicySignals {
  constructor(
    private readonly turns: TurnRepository,
    @Inject(MESSAGING) private readonly messaging: Messaging,
  ) {}

  /** Once the change is committed. A signal that is lost delays this by a few seconds: workers look by themselves. */
  async changed(projectId: string): Promise<void> {
    for (const { workerId, sessionId, turnId } of await this.turns.listWaiting(projectId)) this.messaging.signals.publish(workerId, { sessionId, turnId, reason: 'policy' });
  }
}
