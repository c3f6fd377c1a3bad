import { Injectable } from '@nestjs/common';
import {
  PULL_REQUEST_STALE_MS,
  REFUSALS_OF_ACCOUNT,
  workspaceLimitMs,
  type OpenedPullRequest,
  type OpenPullRequest,
  type PullRequest,
  type PullRequestJob,
  type PullRequestOptions,
} from '@chirality/contracts';
import { PullRequestRepository, SessionPushRepository } from '@chirality/database';
import { isBranchName, pullRequestName } from '@chirality/domain';
import { WorkspaceClient } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';

const REPLY_GRACE_MS = 500;
const READ_EVERY_MS = 60_000;

@Injectable()
export class PullRequestsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly pullRequests: PullRequestRepository,
    private readonly pushes: SessionPushRepository,
    readonly workers: LiveWorkers,
    readonly workspaces: WorkspaceClient,
  ) {}

  /** As the person who asks. The row is first; that the host has it is known from its answer alone. */
  async open(who: Principal, sessionId: string, wanted: OpenPullRequest): Promise<OpenedPullRequest> {
    const session = await this.sessions.forWriting(who, sessionId);
    const head = wanted.head ?? (await this.pushes.findLastDone(session.id))?.pushed?.branch;
    if (head === undefined)
      throw new ProblemError(
        'GIT_NOTHING_TO_PUSH',
        'The session’s branch is not at the host. Push it first, or name a branch that is there in `head`.',
      );
    refuseUnfitBranch('head', head);
    if (wanted.base !== undefined) refuseUnfitBranch('base', wanted.base);
    const begun = await this.pullRequests.begin({
      sessionId: session.id,
      teamId: session.teamId,
      wanted: { ...wanted, head },
      by: { userId: who.user.id, name: who.user.name },
      staleMs: PULL_REQUEST_STALE_MS,
    });
    if (begun.outcome === 'opening')
      throw new ProblemError(
        'CONFLICT',
        `${begun.by} began to open it a moment ago. Wait until that has ended, at most ${PULL_REQUEST_STALE_MS / 1_000} seconds.`,
        { since: begun.since.toISOString() },
      );
    if (begun.outcome === 'open') return repeated(begun, wanted);
    const { id, attempt } = begun;
    const { opened } = await this.ask({
      act: 'open-pull-request',
      teamId: session.teamId,
      sessionId: session.id,
      pullRequestId: id,
      attempt,
    });
    return opened;
  }

  async options(who: Principal, sessionId: string): Promise<PullRequestOptions> {
    const session = await this.sessions.forWriting(who, sessionId);
    const { options } = await this.ask({
      act: 'pull-request-options',
      teamId: session.teamId,
      sessionId: session.id,
      userId: who.user.id,
    });
    return { ...options, head: (await this.pushes.findLastDone(session.id))?.pushed?.branch ?? null };
  }

  /** As the host has it now, if it was not asked within a minute; a host that does not answer leaves what was read. */
  async get(who: Principal, sessionId: string): Promise<PullRequest> {
    const session = await this.sessions.forReading(who, sessionId);
    const known = await this.find(session.id);
    if (!(await this.pullRequests.claimReading(known.id, READ_EVERY_MS))) return shown(known);
    const failure: unknown = await this.ask({
      act: 'read-pull-request',
      teamId: session.teamId,
      sessionId: session.id,
      pullRequestId: known.id,
      userId: who.user.id,
    }).then(
      () => null,
      (error: unknown) => error,
    );
    const read = shown(await this.find(session.id));
    // For all the row says why it was not read; what hangs on this person's account is theirs alone to see.
    const isTheirs = failure instanceof ProblemError && REFUSALS_OF_ACCOUNT.has(failure.code);
    return isTheirs ? { ...read, readError: failure.detail } : read;
  }

  /** As it was read last. */
  async find(sessionId: string): Promise<PullRequest & { id: string }> {
    const found = await this.pullRequests.findOpened(sessionId);
    if (!found) throw new ProblemError('NOT_FOUND', 'The session has no pull request. Push its branch and open one.');
    return found;
  }

  private ask<J extends PullRequestJob>(job: J) {
    return askWorkspace(this, job, workspaceLimitMs(job.act) + REPLY_GRACE_MS);
  }
}

function refuseUnfitBranch(member: 'head' | 'base', name: string): void {
  if (isBranchName(name)) return;
  throw new ProblemError('VALIDATION_FAILED', 'This is no name of a branch.', {
    errors: [{ path: member, message: 'is no name of a branch' }],
  });
}

/** Pressing twice opens one; what differs from it is not silently dropped. */
function repeated(
  { pullRequest, wanted: earlier }: { pullRequest: PullRequest; wanted: OpenPullRequest },
  wanted: OpenPullRequest,
): OpenedPullRequest {
  const { number, url, state } = pullRequest;
  if (earlier.title === wanted.title && earlier.body === wanted.body) return { number, url, state };
  throw new ProblemError(
    'CONFLICT',
    `${pullRequestName(pullRequest)} of this session is open already. Change it at its host, or close it first.`,
    { number, url },
  );
}

function shown({ id: _, ...pullRequest }: PullRequest & { id: string }): PullRequest {
  return pullRequest;
}
