import type { PushProposal } from '@chirality/contracts';
import type { AnsweredPermission } from '@chirality/database';
import type { ProposedPush } from '@chirality/domain';
import type { PushDescription } from './push-description';
import type { PushOutcome, PushProposals } from './push-proposals';
import type { ActiveTurn } from '../record/active-turn';

/** The pushes that one turn proposes. */
export class ProposedPushes {
  private readonly running = new Set<Promise<PushOutcome>>();

  constructor(
    private readonly turn: Pick<ActiveTurn, 'claimed' | 'recorder'>,
    private readonly description: Pick<PushDescription, 'describe'>,
    private readonly proposals: Pick<PushProposals, 'carryOut'>,
  ) {}

  describe(push: ProposedPush): Promise<PushProposal | { refused: string }> {
    return this.description.describe(this.turn.claimed.sessionId, push);
  }

  /** As the person who allowed it. The turn's log has the outcome, also where the program no longer waits for it. */
  async carryOut(proposal: PushProposal, { by, answer }: AnsweredPermission): Promise<PushOutcome> {
    if (by === null) return { isDone: false, text: 'Nothing was pushed: no person allowed it.' };
    const running = this.pushAndNote({ turn: this.turn.claimed, by, proposal, answer: answer?.proposal ?? {} });
    this.running.add(running);
    return running.finally(() => this.running.delete(running));
  }

  /** Resolves when no push of the turn is under way: what has begun is never given up half-way. */
  async ended(): Promise<void> {
    await Promise.all(this.running);
  }

  private async pushAndNote(allowed: Parameters<PushProposals['carryOut']>[0]): Promise<PushOutcome> {
    const { isDone, text } = await this.proposals.carryOut(allowed);
    const notice = isDone
      ? { level: 'info' as const, code: 'PUSHED' }
      : { level: 'warning' as const, code: 'PUSH_FAILED' };
    this.turn.recorder.record('turn:notice', { ...notice, text });
    return { isDone, text };
  }
}
