import { WORKSPACE_ACTS_DONE_ONCE, type WorkspaceJob, type WorkspaceReply } from '@chirality/contracts';
import type { WorkspaceClient } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import type { LiveWorkers } from './live-workers';

type ReplyTo<A extends WorkspaceJob['act']> = Extract<WorkspaceReply, { act: A }>;
type Parts = {
  workers: Pick<LiveWorkers, 'forWorkspaceOf'>;
  workspaces: Pick<WorkspaceClient, 'request'>;
};

/**
 * What a worker answers about a session's workspace or a project's files; a refusal is thrown. When the worker that has
 * them has died meanwhile, another one builds them from what is stored, and is asked once. What
 * is done only once is not asked for a second time.
 */
export async function askWorkspace<J extends WorkspaceJob>(
  { workers, workspaces }: Parts,
  job: J,
  timeoutMs: number,
): Promise<ReplyTo<J['act']>> {
  const sessionId = 'sessionId' in job ? job.sessionId : null;
  const workerId = await workers.forWorkspaceOf(sessionId);
  if (!workerId)
    throw new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      `No worker is running that can ${sessionId === null ? 'read the project’s files' : 'look into the workspace'}. Start one, or try again in a moment.`,
    );
  let reply = await workspaces.request(workerId, job, timeoutMs);
  if (reply.act === 'refused' && reply.code === 'WORKSPACE_UNAVAILABLE' && !WORKSPACE_ACTS_DONE_ONCE.has(job.act)) {
    const successor = await workers.forWorkspaceOf(sessionId);
    if (successor && successor !== workerId) reply = await workspaces.request(successor, job, timeoutMs);
  }
  if (reply.act === 'refused') throw new ProblemError(reply.code, reply.detail);
  if (reply.act !== job.act)
    throw new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      'The worker’s answer does not match the request. Try again in a moment.',
    );
  return reply as ReplyTo<J['act']>;
}
