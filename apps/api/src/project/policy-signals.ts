import { Inject, Injectable } from '@nestjs/common';
import { TurnRepository } from '@chirality/database';
import { TurnSignals } from '@chirality/messaging';
import { LOG, type Logger } from '@chirality/platform';

/** Has the requests that wait in a project settled at once by a rule or a switch that was changed meanwhile. */
@Injectable()
export class PolicySignals {
  constructor(
    private readonly turns: TurnRepository,
    private readonly signals: TurnSignals,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * Once the change is committed. Never rejects: a lost signal delays this by a few seconds, since workers also poll.
   */
  async changed(projectId: string): Promise<void> {
    await this.tell(projectId).catch((error: unknown) =>
      this.log.warn({ err: error, projectId }, 'policy.waiting_requests_not_notified'),
    );
  }

  private async tell(projectId: string): Promise<void> {
    for (const { workerId, sessionId, turnId } of await this.turns.listWaiting(projectId))
      this.signals.publish(workerId, { sessionId, turnId, reason: 'policy' });
  }
}
