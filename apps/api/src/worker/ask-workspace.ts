import { WORKSPACE_ACTS_DONE_ONCE, type WorkspaceJob, type WorkspaceReply } from '@chirality/contracts';
import type { WorkspaceClient } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import type { LiveWorkers } from './live-workers';

type ReplyTo<A extends WorkspaceJob['act']> = Extract<WorkspaceReply, { act: A }>;
type Parts = {
  workers: Pick<LiveWorkers, 'forWorkspaceOf' | 'untilGone'>;
  workspaces: Pick<WorkspaceClient, 'request'>;
};

/**
 * What a worker answers about a session's workspace or a project's files; a refusal is thrown. When the worker that
 * has them has died meanwhile, its next life or another one builds them from what is stored, and is asked once. What
 * is done only once is not asked for a second time: the person hears at once that the worker is gone, and looks.
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
  const { isGone, ...first } = await askOne({ workers, workspaces }, workerId, job, timeoutMs);
  let { reply } = first;
  if (reply.act === 'refused' && reply.code === 'WORKSPACE_UNAVAILABLE' && !WORKSPACE_ACTS_DONE_ONCE.has(job.act)) {
    const successor = await workers.forWorkspaceOf(sessionId);
    if (successor && (isGone || successor !== workerId))
      ({ reply } = await askOne({ workers, workspaces }, successor, job, timeoutMs));
  }
  if (reply.act === 'refused') throw new ProblemError(reply.code, reply.detail);
  if (reply.act !== job.act)
    throw new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      'The worker’s answer does not match the request. Try again in a moment.',
    );
  return reply as ReplyTo<J['act']>;
}

/** `isGone`: its process ended before it answered. */
async function askOne(
  { workers, workspaces }: Parts,
  workerId: string,
  job: WorkspaceJob,
  timeoutMs: number,
): Promise<{ reply: WorkspaceReply; isGone: boolean }> {
  const answered = new AbortController();
  const gone = workers.untilGone(workerId, answered.signal).then(() => ({ reply: STOPPED, isGone: true }));
  const reply = workspaces.request(workerId, job, timeoutMs).then((reply) => ({ reply, isGone: false }));
  return Promise.race([reply, gone]).finally(() => answered.abort());
}

const STOPPED: WorkspaceReply = {
  act: 'refused',
  code: 'WORKSPACE_UNAVAILABLE',
  detail:
    'The worker stopped while it did this. It is done as a whole or not at all: look at what is there, then try again.',
};
