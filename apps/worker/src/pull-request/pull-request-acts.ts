import {
  REFUSALS_OF_ACCOUNT,
  type OpenedPullRequest,
  type PullRequestCheck,
  type PullRequestJob,
  type PullRequestReading,
  type WorkspaceReply,
} from '@chirality/contracts';
import type {
  ProjectRepository,
  PullRequestAttempt,
  PullRequestRepository,
  SessionRepository,
} from '@chirality/database';
import { ProblemError, type Logger } from '@chirality/platform';
import { hostCallErrorOf, problemOfHost } from '../git-host/call/host-call-error';
import type { GitHost, HostCredential, PullRequestOfHost, ReadingOfHost } from '../git-host/client/git-host.types';
import type { OpenGitHost } from '../git-host/client/open-git-host';

/** Who acts, for which team and project, and at which address. */
export type ActAtHost = { teamId: string; userId: string; projectId: string; address: string };

type Run<T> = (credential: HostCredential | null) => Promise<T>;
/** What a user has for a host: their own account, else the team's, else nothing. */
export interface HostAccounts {
  /** Recorded as that user's. */
  act<T>(act: ActAtHost, run: Run<T>): Promise<T>;
  /** Changes nothing, and may happen every minute. */
  look<T>(act: ActAtHost, run: Run<T>): Promise<T>;
}

interface Parts {
  pullRequests: Pick<
    PullRequestRepository,
    | 'findAttempt'
    | 'complete'
    | 'keepNotice'
    | 'fail'
    | 'findOpened'
    | 'keepReading'
    | 'keepReadError'
    | 'releaseReading'
  >;
  sessions: Pick<SessionRepository, 'find'>;
  projects: Pick<ProjectRepository, 'find'>;
  accounts: HostAccounts;
  openHost: OpenGitHost;
  /** The session has another pull request now: pages that show the session look. */
  onOpened(sessionId: string): void;
  log: Logger;
}

/** Statuses by which hosts say that the branch has a pull request already. */
const CONFLICTS: ReadonlySet<number> = new Set([409, 422]);

/** What the api asks of git hosts for a session: before one is opened, opening it, and reading it. */
export class PullRequestActs {
  constructor(private readonly parts: Parts) {}

  /** Throws a ProblemError for what cannot be done. From `deadline` on no host is called. */
  async act(job: PullRequestJob, deadline: AbortSignal): Promise<WorkspaceReply> {
    try {
      return await this.answer(job, deadline);
    } catch (error) {
      throw problemOfHost(error);
    }
  }

  private async answer(job: PullRequestJob, deadline: AbortSignal): Promise<WorkspaceReply> {
    switch (job.act) {
      case 'pull-request-options': {
        const options = await this.atHost('look', job, deadline, async (host) => ({
          host: host.name,
          kind: host.kind,
          ...(await host.readOptions()),
        }));
        return { act: 'pull-request-options', options };
      }
      case 'open-pull-request':
        return { act: 'open-pull-request', opened: await this.open(job, deadline) };
      case 'read-pull-request':
        await this.read(job, deadline);
        return { act: 'read-pull-request' };
    }
  }

  /**
   * Opens what stands in the row of the attempt, unless the host has an open one of that branch: then an earlier
   * attempt came so far, or a person did it there, and that one is the session's. The row knows it before the api does.
   */
  private async open(
    { sessionId, pullRequestId: id, attempt }: Extract<PullRequestJob, { act: 'open-pull-request' }>,
    deadline: AbortSignal,
  ): Promise<OpenedPullRequest> {
    const { pullRequests } = this.parts;
    const found = await pullRequests.findAttempt({ id, attempt });
    if (!found || found.sessionId !== sessionId) throw takenOver();
    /** What came before may have taken its time. */
    const stillCounts = async () => {
      if (!(await pullRequests.findAttempt({ id, attempt }))) throw takenOver();
    };
    let sent = false;
    try {
      return await this.atHost('act', { sessionId, userId: found.userId }, deadline, async (host, credential) => {
        if (!credential) throw withoutAccount(host.name);
        const base = found.wanted.base ?? (await host.readOptions()).base;
        sent = true;
        const { opened, isNew } = await findOrOpen(host, { ...found.wanted, base }, stillCounts);
        await pullRequests.complete({ id, attempt }, { kind: host.kind, base, ...opened });
        const after = await this.afterOpening(host, opened, isNew, found);
        if (after.notice !== undefined) await this.keepNotice(id, after.notice);
        this.parts.onOpened(sessionId);
        return { ...opened, ...after };
      });
    } catch (error) {
      // Without an answer the host may have opened it: the next attempt looks, and waits until this one is surely over.
      const status = hostCallErrorOf(error)?.status ?? null;
      if (!sent || status !== null || error instanceof ProblemError) await pullRequests.fail({ id, attempt });
      throw error;
    }
  }

  /** It is open, so nothing that fails from here on is a failure of opening it. */
  private async afterOpening(
    host: GitHost,
    { number }: PullRequestOfHost,
    isNew: boolean,
    { wanted }: PullRequestAttempt,
  ): Promise<{ notice?: string }> {
    if (!isNew) return { notice: 'The branch had an open pull request already, which is now this session’s.' };
    if (wanted.reviewers.length === 0) return {};
    const missing = await host.askReviewers(number, wanted.reviewers).catch((error: unknown) => {
      this.parts.log.warn({ err: error }, 'pull_request.reviewers_not_asked');
      return wanted.reviewers;
    });
    return missing.length === 0
      ? {}
      : { notice: `The host did not take these reviewers: ${missing.join(', ')}. Ask them there.` };
  }

  /** The answer has it as well. */
  private async keepNotice(id: string, notice: string): Promise<void> {
    await this.parts.pullRequests
      .keepNotice(id, notice)
      .catch((error: Error) => this.parts.log.warn({ err: error }, 'pull_request.notice_not_kept'));
  }

  private async read(
    { sessionId, pullRequestId, userId }: Extract<PullRequestJob, { act: 'read-pull-request' }>,
    deadline: AbortSignal,
  ): Promise<void> {
    const { pullRequests } = this.parts;
    const known = await pullRequests.findOpened(sessionId);
    if (!known || known.id !== pullRequestId) return;
    try {
      const reading = await this.atHost('look', { sessionId, userId }, deadline, (host) => host.read(known.number));
      await pullRequests.keepReading(known.id, withHidden(reading, known.checks));
    } catch (error) {
      const problem = problemOfHost(error);
      // Others may be shown it: for them it stays as it was read, and the next one may ask at once.
      if (REFUSALS_OF_ACCOUNT.has(problem.code)) await pullRequests.releaseReading(known.id);
      else await pullRequests.keepReadError(known.id, problem.detail);
      throw problem;
    }
  }

  private async atHost<T>(
    how: keyof HostAccounts,
    { sessionId, userId }: { sessionId: string; userId: string },
    deadline: AbortSignal,
    run: (host: GitHost, credential: HostCredential | null) => Promise<T>,
  ): Promise<T> {
    const { sessions, projects, accounts, openHost } = this.parts;
    const session = await sessions.find(sessionId);
    const project = session && (await projects.find(session.projectId));
    if (!session || !project) throw new ProblemError('NOT_FOUND', 'The session is not there any longer.');
    if (project.source.kind !== 'git')
      throw new ProblemError(
        'PULL_REQUEST_FAILED',
        'The project’s files come from no git host, so there is nowhere to open a pull request.',
      );
    const address = project.source.url;
    return accounts[how]({ teamId: session.teamId, userId, projectId: project.id, address }, async (credential) =>
      run(await openHost(address, credential, deadline), credential),
    );
  }
}

/** Checks that this account is not shown stay as an account with more rights has read them. */
function withHidden(
  { checksAreHidden, ...reading }: ReadingOfHost,
  known: readonly PullRequestCheck[],
): PullRequestReading {
  if (!checksAreHidden) return reading;
  const shown = new Set(reading.checks.map(({ name }) => name));
  return { ...reading, checks: [...reading.checks, ...known.filter(({ name }) => !shown.has(name))] };
}

async function findOrOpen(
  host: GitHost,
  wanted: Parameters<GitHost['open']>[0],
  stillCounts: () => Promise<void>,
): Promise<{ opened: PullRequestOfHost; isNew: boolean }> {
  const earlier = await host.findOpen(wanted.head);
  if (earlier) return { opened: earlier, isNew: false };
  await stillCounts();
  try {
    return { opened: await host.open(wanted), isNew: true };
  } catch (error) {
    if (!CONFLICTS.has(hostCallErrorOf(error)?.status ?? 0)) throw error;
    // An attempt beside this one was quicker, or the host refuses it for something else, which it then says.
    const meanwhile = await host.findOpen(wanted.head);
    if (!meanwhile) throw error;
    return { opened: meanwhile, isNew: false };
  }
}

function takenOver(): ProblemError {
  return new ProblemError(
    'PULL_REQUEST_FAILED',
    'Another attempt to open the pull request has begun. Look at its outcome.',
  );
}

function withoutAccount(host: string): ProblemError {
  return new ProblemError(
    'GIT_AUTH_FAILED',
    `A pull request is opened with a token for ${host}. Add one to your git accounts, or ask an admin for one of the team.`,
  );
}
