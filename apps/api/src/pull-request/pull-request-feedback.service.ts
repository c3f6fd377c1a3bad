import { Injectable } from '@nestjs/common';
import type { SendPullRequest, Turn } from '@chirality/contracts';
import { feedbackMessage } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { idempotencyKeyOf, refuseUnfitMessage } from '../turn/message-rules';
import { TurnAcceptance } from '../turn/turn-acceptance';
import { PullRequestsService } from './pull-requests.service';

/** Gives what a host says of a pull request to the session, as the message of an ordinary turn. */
@Injectable()
export class PullRequestFeedbackService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly pullRequests: PullRequestsService,
    private readonly acceptance: TurnAcceptance,
  ) {}

  /** What was chosen, as it was read last: that is what the person saw. */
  async send(
    who: Principal,
    sessionId: string,
    chosen: SendPullRequest,
    key: string | undefined,
  ): Promise<{ turn: Turn }> {
    const session = await this.sessions.forWriting(who, sessionId);
    const pullRequest = await this.pullRequests.find(session.id);
    const checks = pick(chosen.checks, pullRequest.checks, ({ name }) => name, 'check');
    const reviews = pick(chosen.reviews, pullRequest.reviews, ({ id }) => id, 'comment');
    const message = feedbackMessage({ pullRequest, checks, reviews });
    refuseUnfitMessage(message);
    const turn = await this.acceptance.accept(who, session, {
      kind: 'message',
      message,
      options: {},
      key: idempotencyKeyOf(key),
      // A log that has grown since is no other request.
      identity: JSON.stringify([chosen.checks, chosen.reviews]),
    });
    return { turn };
  }
}

/** In the order in which they were read, each once. */
function pick<Row>(chosen: readonly string[], rows: readonly Row[], keyOf: (row: Row) => string, noun: string): Row[] {
  const known = new Set(rows.map(keyOf));
  const unknown = chosen.find((key) => !known.has(key));
  if (unknown !== undefined)
    throw new ProblemError('VALIDATION_FAILED', `The pull request has no such ${noun} any longer. Read it again.`, {
      errors: [{ path: `${noun}s`, message: 'is not one that was read last' }],
    });
  const wanted = new Set(chosen);
  return rows.filter((row) => wanted.has(keyOf(row)));
}
