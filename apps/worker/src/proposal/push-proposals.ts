import {
  PULL_REQUEST_STALE_MS,
  PUSH_LIMIT_MS,
  PUSH_LOST_AFTER_MS,
  workspaceLimitMs,
  type PushAnswer,
  type PushProposal,
  type PushProposalAnswer,
} from '@chirality/contracts';
import type {
  ClaimedTurn,
  ProjectRepository,
  PullRequestRepository,
  SessionPushRepository,
  SessionRepository,
} from '@chirality/database';
import { isBranchName, isBranchNameSafe, pullRequestName, pushTargetOf } from '@chirality/domain';
import { ProblemError, type Logger } from '@chirality/platform';
import type { PullRequestActs } from '../pull-request/pull-request-acts';
import type { SessionActs } from '../state/session/session-acts';
import type { RemotePush } from '../workspace/remote/remote-push';
import { RemoteFailedError } from '../workspace/transport/git-failure';

/** A push that a person allowed: it is made in their name. */
type AllowedPush = {
  turn: Pick<ClaimedTurn, 'id' | 'sessionId' | 'teamId' | 'fence' | 'workspaceFence'>;
  by: { userId: string; name: string };
  proposal: PushProposal;
  answer: PushProposalAnswer;
};

/** `text`: what the model reads, and people in the turn's log. */
export type PushOutcome = { isDone: boolean; text: string };

type OpenedRequest = NonNullable<PushProposalAnswer['pullRequest']>;

interface Parts {
  acts: Pick<SessionActs, 'whileTurn'>;
  remote: Pick<RemotePush, 'push'>;
  pushes: Pick<SessionPushRepository, 'begin' | 'findLastDone' | 'complete' | 'fail'>;
  pullRequests: Pick<PullRequestRepository, 'begin'>;
  pullRequestActs: Pick<PullRequestActs, 'act'>;
  sessions: Pick<SessionRepository, 'find' | 'mayWork'>;
  projects: Pick<ProjectRepository, 'find'>;
  /** The remote has more of the session now: pages that show the session look. */
  onPushed(sessionId: string): void;
  log: Logger;
}

/**
 * Makes the pushes that the model proposed and a person allowed, as that person. Row first, then the state of the turn
 * is stored, then the very commit that was shown is sent: where this process dies, the remote has it or has it not, and
 * nothing makes it again.
 */
export class PushProposals {
  constructor(private readonly parts: Parts) {}

  /** Never rejects: what could not be done is an outcome. */
  async carryOut(allowed: AllowedPush): Promise<PushOutcome> {
    try {
      const pushed = await this.push(allowed);
      const said = pushedText(pushed, allowed);
      const wanted = wantedPullRequest(allowed);
      if (wanted === null) {
        const offer = pushed.createUrl === undefined ? '' : ` A pull request can be opened at ${pushed.createUrl}`;
        return { isDone: true, text: said + offer };
      }
      const opened = await this.open(allowed, pushed.branch, wanted).catch((error: unknown) => this.failure(error));
      if (typeof opened === 'string') return { isDone: true, text: `${said} ${opened}` };
      return { isDone: false, text: `${said} No pull request was opened. ${opened.detail}` };
    } catch (error) {
      return { isDone: false, text: `Nothing was pushed. ${this.failure(error).detail}` };
    }
  }

  private async push({ turn, by, proposal, answer }: AllowedPush): Promise<PushAnswer> {
    const { acts, projects, pushes, remote, sessions } = this.parts;
    const { sessionId, teamId } = turn;
    const session = await sessions.find(sessionId);
    const pattern = session && (await projects.find(session.projectId))?.branchPattern;
    if (!session || pattern == null) throw new ProblemError('NOT_FOUND', 'The session is not there any longer.');
    const branch = answer.branch ?? proposal.branch;
    if (!isBranchNameSafe(branch))
      throw new ProblemError('VALIDATION_FAILED', 'Git takes no branch of that name. Propose it with another one.');
    const before = (await pushes.findLastDone(sessionId))?.pushed ?? null;
    const usual = pushTargetOf({ chosen: null, before, isForced: false, pattern, session });
    const target = branch === usual.branch ? usual : { branch, isChosen: true, lease: null };
    const order = {
      sessionId,
      userId: by.userId,
      branch: branch === usual.branch ? null : branch,
      isForced: false,
    };
    const { push, isNew } = await pushes.begin(order, PUSH_LOST_AFTER_MS, turn.id);
    if (!isNew)
      throw new ProblemError('CONFLICT', 'Another push of this session is under way. Propose it again after its end.');
    try {
      const { pushed } = await acts.whileTurn(
        { sessionId, fence: turn.workspaceFence ?? turn.fence },
        async ({ workspace, project, repository }) => {
          // Nothing but the push comes after it: storing what goes out may have taken a while since the answer.
          await this.requireRight(sessionId, by);
          if (project.source.kind !== 'git')
            throw new ProblemError('VALIDATION_FAILED', 'This project has no remote that could be pushed to.');
          return remote.push({
            projectId: project.id,
            who: { teamId, userId: by.userId },
            url: project.source.url,
            repository,
            workspace,
            ...target,
            commit: proposal.commit,
            timeoutMs: PUSH_LIMIT_MS,
          });
        },
      );
      await pushes.complete(push.id, pushed, { teamId, userName: by.name, turnId: turn.id });
      this.parts.onPushed(sessionId);
      return pushed;
    } catch (error) {
      await pushes.fail(push.id, this.failure(error));
      throw error;
    }
  }

  private async open({ turn, by }: AllowedPush, head: string, wanted: OpenedRequest): Promise<string> {
    const { pullRequestActs, pullRequests } = this.parts;
    const { sessionId, teamId } = turn;
    await this.requireRight(sessionId, by);
    if (wanted.base !== undefined && !isBranchName(wanted.base))
      throw new ProblemError('VALIDATION_FAILED', 'The base is no name of a branch.');
    const begun = await pullRequests.begin({
      sessionId,
      teamId,
      wanted: { ...wanted, head, reviewers: [] },
      by,
      staleMs: PULL_REQUEST_STALE_MS,
    });
    if (begun.outcome === 'opening')
      throw new ProblemError('CONFLICT', `${begun.by} began to open it a moment ago. Look at its outcome first.`);
    if (begun.outcome === 'open')
      return `${pullRequestName(begun.pullRequest)} of this session is open already and has the commits: ${begun.pullRequest.url}`;
    const job = {
      act: 'open-pull-request',
      teamId,
      sessionId,
      pullRequestId: begun.id,
      attempt: begun.attempt,
    } as const;
    const reply = await pullRequestActs.act(job, AbortSignal.timeout(workspaceLimitMs(job.act)));
    if (reply.act !== 'open-pull-request') throw new Error('an act answered another one');
    const { number, url, notice } = reply.opened;
    return `Pull request #${number} is open: ${url}${notice === undefined ? '' : ` ${notice}`}`;
  }

  /** Between the answer and now the person may have lost what they had when they answered. */
  private async requireRight(sessionId: string, by: AllowedPush['by']): Promise<void> {
    if (await this.parts.sessions.mayWork(sessionId, by.userId)) return;
    throw new ProblemError('FORBIDDEN', `${by.name} allowed it, but may no longer write in this session.`);
  }

  private failure(error: unknown): { code: ProblemError['code']; detail: string } {
    if (error instanceof ProblemError) return { code: error.code, detail: error.detail };
    if (error instanceof RemoteFailedError && error.failure.code !== 'WORKER_LOST')
      return { code: error.failure.code, detail: error.failure.detail };
    this.parts.log.error({ err: error }, 'proposal.push_failed');
    return { code: 'WORKSPACE_UNAVAILABLE', detail: 'This failed on the server. The log of the worker says why.' };
  }
}

/** Null: none is to be opened. */
function wantedPullRequest({ proposal, answer }: AllowedPush): OpenedRequest | null {
  if (answer.pullRequest !== undefined) return answer.pullRequest;
  return proposal.opensPullRequest ? proposal.pullRequest : null;
}

function pushedText({ branch, commit, remote }: PushAnswer, { by, proposal }: AllowedPush): string {
  const left =
    proposal.uncommittedCount === 0
      ? ''
      : ` ${proposal.uncommittedCount} changed files are not committed and stay here.`;
  return `${by.name} pushed: the branch ${branch} of ${remote} has ${commit.slice(0, 10)} now.${left}`;
}
