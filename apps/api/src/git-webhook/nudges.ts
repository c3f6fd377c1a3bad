import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SessionChannel } from '@chirality/messaging';

/** Checks report in bursts, and each look costs the host some calls. */
const EVERY_MS = 5_000;

/**
 * Tells the pages that show a pull request to look again: at once, and then at most every five seconds of a session.
 */
@Injectable()
export class Nudges implements OnApplicationShutdown {
  private readonly resting = new Map<string, { timer: NodeJS.Timeout; again: boolean }>();

  constructor(private readonly channel: SessionChannel) {}

  tell(sessionId: string): void {
    const known = this.resting.get(sessionId);
    if (known) {
      known.again = true;
      return;
    }
    this.channel.publish({ sessionId, mayBeHidden: false, pullRequest: true });
    this.resting.set(sessionId, { timer: setTimeout(() => this.rested(sessionId), EVERY_MS).unref(), again: false });
  }

  onApplicationShutdown(): void {
    for (const { timer } of this.resting.values()) clearTimeout(timer);
    this.resting.clear();
  }

  private rested(sessionId: string): void {
    const again = this.resting.get(sessionId)?.again === true;
    this.resting.delete(sessionId);
    if (again) this.tell(sessionId);
  }
}
