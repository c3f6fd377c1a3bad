import { Injectable } from '@nestjs/common';
import { WorkerRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';

/** A worker that was fit a moment ago is taken to be fit still; one that is not is asked about again each time. */
const FIT_FOR_MS = 500;

/** What the api knows of the workers that live. */
@Injectable()
export class LiveWorkers {
  private fitUntilMs = -Infinity;

  constructor(private readonly workers: WorkerRepository) {}

  /** SANDBOX_UNAVAILABLE when no live worker could run a turn; null when one could. */
  async refusalWithoutSandbox(): Promise<ProblemError | null> {
    if (performance.now() < this.fitUntilMs) return null;
    const { workers, sandboxed, detail } = await this.workers.findReadiness();
    if (sandboxed > 0) {
      this.fitUntilMs = performance.now() + FIT_FOR_MS;
      return null;
    }
    return workers === 0
      ? new ProblemError('SANDBOX_UNAVAILABLE', 'No worker is running, so the turn could not start. Start one, or try again in a moment.')
      : new ProblemError('SANDBOX_UNAVAILABLE', `No worker has a working sandbox, so turns are refused${detail ? ` (${detail})` : ''}. The operator has to mend that; npm run doctor says how.`);
  }

  /** The worker to ask about a session's files, or with null about a project's; null when none lives. */
  forWorkspaceOf(sessionId: string | null): Promise<string | null> {
    return this.workers.findForWorkspace(sessionId);
  }
}
