import { untilAnswered, type ClaimedTurn, type PolicyRepository } from '@chirality/database';
import type { PolicyInForce } from '@chirality/domain';
import { LEASE_GIVE_UP_MS } from '../lease';

/** What project and session say about the tools of a turn. */
export class SessionPolicy {
  constructor(
    private readonly policies: Pick<PolicyRepository, 'readInForce'>,
    private readonly claimed: Pick<ClaimedTurn, 'sessionId' | 'author'>,
    private readonly mayChange: Promise<void>,
  ) {}

  /** As things are at this moment, once the turn may change its copy of the files; rejects where it may not. */
  async inForce(): Promise<PolicyInForce> {
    await this.mayChange;
    const { sessionId, author } = this.claimed;
    return untilAnswered(() => this.policies.readInForce(sessionId, author), LEASE_GIVE_UP_MS);
  }
}
