import {
  workspaceLimitMs,
  workspaceReplySchema,
  type PullRequestJob,
  type WorkspaceJob,
  type WorkspaceReply,
} from '@chirality/contracts';
import { ProblemError, type Logger } from '@chirality/platform';
import { SharedPlaces } from '../git-host/call/shared-places';
import type { PullRequestActs } from './pull-request-acts';

/** They wait for hosts, not for this machine. */
const CONCURRENT_ACTS = 16;
const ACTS_OF_TEAM = 6;

const ACTS: ReadonlySet<WorkspaceJob['act']> = new Set<PullRequestJob['act']>([
  'pull-request-options',
  'open-pull-request',
  'read-pull-request',
]);
const refusedSchema = workspaceReplySchema.options.find((reply) => 'code' in reply.shape);

export function isPullRequestJob(job: WorkspaceJob): job is PullRequestJob {
  return ACTS.has(job.act);
}

/** Does what the api asks of git hosts. Bounded in time and in number; always answers. */
export class PullRequestJobs {
  private readonly places = new SharedPlaces(CONCURRENT_ACTS, ACTS_OF_TEAM);

  constructor(
    private readonly acts: Pick<PullRequestActs, 'act'>,
    private readonly log: Logger,
  ) {}

  /** The reply to a job; what cannot be done is `refused` with a code and a sentence for the person. */
  async handle(job: PullRequestJob): Promise<WorkspaceReply> {
    // The next attempt begins after it: nothing of this one may reach the host from then on.
    const deadline = AbortSignal.timeout(workspaceLimitMs(job.act));
    const begin = () => {
      // Who asked has given up while it waited.
      if (deadline.aborted) throw unavailable('The git host did not answer in time. Try again in a moment.');
      return this.acts.act(job, deadline);
    };
    try {
      return await this.places.run(job.teamId, begin);
    } catch (error) {
      const problem =
        error instanceof ProblemError ? error : unavailable('This failed. The log of the worker says why.');
      const refused = refusedSchema?.safeParse({ act: 'refused', code: problem.code, detail: problem.detail });
      if (error === problem && refused?.success) return refused.data;
      this.log.error({ err: error, act: job.act, session: job.sessionId }, 'pull_request.act_failed');
      return { act: 'refused', code: 'WORKSPACE_UNAVAILABLE', detail: problem.detail };
    }
  }
}

function unavailable(detail: string): ProblemError {
  return new ProblemError('WORKSPACE_UNAVAILABLE', detail);
}
