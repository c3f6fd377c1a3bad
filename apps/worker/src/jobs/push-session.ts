import type { WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { SessionActs } from '../state/session/session-acts';
import { RemoteFailedError } from '../workspace/transport/git-failure';
import type { RemotePush } from '../workspace/remote/remote-push';

type Job = Extract<WorkspaceJob, { act: 'push' }>;

/** Pushes what is stored of a session, while no turn works in it. Throws ProblemError. */
export async function pushSession(
  { acts, pushes }: { acts: Pick<SessionActs, 'whileStored'>; pushes: Pick<RemotePush, 'push'> },
  { sessionId, who, branch, isChosen, lease }: Job,
  timeoutMs: number,
): Promise<WorkspaceReply> {
  return acts.whileStored(sessionId, async ({ workspace, project, repository }) => {
    if (project.source.kind !== 'git')
      throw new ProblemError('VALIDATION_FAILED', 'This project has no remote that could be pushed to.');
    const { url } = project.source;
    try {
      const outcome = await pushes.push({
        projectId: project.id,
        who,
        url,
        repository,
        workspace,
        branch,
        isChosen,
        lease,
        timeoutMs,
      });
      return { act: 'push', ...outcome };
    } catch (error) {
      throw error instanceof RemoteFailedError ? problemOf(error) : error;
    }
  });
}

function problemOf({ failure: { code, detail } }: RemoteFailedError): ProblemError {
  return new ProblemError(code === 'WORKER_LOST' ? 'WORKSPACE_UNAVAILABLE' : code, detail);
}
