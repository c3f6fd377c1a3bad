import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { HarnessName } from '@chirality/contracts';
import { WorkerRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';

/** A worker that was fit a moment ago is taken to be fit still; one that is not is asked about again each time. */
const FIT_FOR_MS = 500;
/** A worker that was killed is usually started again within seconds: messages are accepted meanwhile, and wait. */
const RETURNS_WITHIN_MS = 30_000;

/** A worker that was asked and died is not waited for any longer than this beyond what shows its end. */
const LOOK_EVERY_MS = 1_000;

/** What the api knows of the workers that live. */
@Injectable()
export class LiveWorkers {
  private fitUntilMs = -Infinity;
  private offered: readonly HarnessName[] = [];
  private returnsUntilMs = -Infinity;

  constructor(private readonly workers: WorkerRepository) {}

  /**
   * SANDBOX_UNAVAILABLE when no live worker could run a turn, HARNESS_FAILURE when none could run it with that harness;
   * null when one could.
   */
  async refusalToRun(harness: HarnessName): Promise<ProblemError | null> {
    if (performance.now() < this.fitUntilMs && this.offered.includes(harness)) return null;
    const { workers, sandboxed, detail, harnesses } = await this.workers.findReadiness();
    if (sandboxed > 0) {
      this.fitUntilMs = performance.now() + FIT_FOR_MS;
      this.offered = harnesses;
      return harnesses.includes(harness)
        ? null
        : new ProblemError(
            'HARNESS_FAILURE',
            `No running worker has the harness ${harness} now. Start a session with one that GET /v1/harnesses lists as available, or have the operator install it.`,
          );
    }
    if (workers === 0 && performance.now() < this.returnsUntilMs && this.offered.includes(harness)) return null;
    return workers === 0
      ? new ProblemError(
          'SANDBOX_UNAVAILABLE',
          'No worker is running, so the turn could not start. Start one, or try again in a moment.',
        )
      : new ProblemError(
          'SANDBOX_UNAVAILABLE',
          `No worker has a working sandbox, so turns are refused${detail ? ` (${detail})` : ''}. The operator has to fix that; npm run doctor says how.`,
        );
  }

  /** A worker's process is gone without having been stopped. */
  expectReturn(): void {
    this.fitUntilMs = -Infinity;
    this.returnsUntilMs = performance.now() + RETURNS_WITHIN_MS;
  }

  /**
   * Whether a session may name it. Where no worker could run anything, that one alone which every release brings is
   * taken to be there.
   */
  async offers(harness: HarnessName): Promise<boolean> {
    const { sandboxed, harnesses } = await this.workers.findReadiness();
    return sandboxed === 0 ? harness === 'claude-code' : harnesses.includes(harness);
  }

  /**
   * Resolves when that life of the worker, the one that lives now, is over: what it was asked for it will not answer.
   * Never before `stopped`, and not while the database cannot say.
   */
  async untilGone(workerId: string, stopped: AbortSignal): Promise<void> {
    const life = await this.lifeOf(workerId);
    while (!stopped.aborted) {
      await delay(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => undefined);
      if (stopped.aborted) break;
      const now = await this.lifeOf(workerId);
      if (life !== undefined && now !== undefined && now !== life) return;
    }
    return new Promise(() => undefined);
  }

  /** Undefined while the database cannot say. */
  private lifeOf(workerId: string): Promise<string | null | undefined> {
    return this.workers.findLife(workerId).catch(() => undefined);
  }

  /** The worker to ask about a session's files, or with null about a project's; null when none lives. */
  forWorkspaceOf(sessionId: string | null): Promise<string | null> {
    return this.workers.findForWorkspace(sessionId);
  }
}
