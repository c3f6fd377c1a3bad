import { setTimeout as delay } from 'node:timers/promises';
import type { GitFailure } from '@chirality/contracts';
import type { ClaimedRefresh, FetchRef, ProjectRefreshRepository, WorkerLife } from '@chirality/database';
import { every, joined, ProblemError, type BlobStore, type Logger } from '@chirality/platform';
import type { ProjectPersonaReader } from '../persona/project-persona-reader';
import type { SandboxWatch } from '../sandbox/sandbox-watch';
import type { ProjectRepositories } from '../workspace/project/project-repositories';
import { prefixOfBundle, refreshedKey } from '../workspace/project/refreshed-bundles';
import { RemoteFailedError } from '../workspace/transport/git-failure';
import type { RefreshedFiles, RemoteRefresh } from '../workspace/remote/remote-refresh';
import { ProgressReports } from './progress-reports';

const LOOK_EVERY_MS = 500;
const AT_ONCE = 4;
const PERSONAS_MS = 30_000;

interface Parts {
  worker: WorkerLife;
  refreshes: Pick<ProjectRefreshRepository, 'claimNext' | 'report' | 'complete' | 'fail' | 'giveBack'>;
  remote: Pick<RemoteRefresh, 'bring'>;
  projects: Pick<ProjectRepositories, 'ensure'>;
  personas: Pick<ProjectPersonaReader, 'read'>;
  blobs: Pick<BlobStore, 'delete'>;
  /** Nothing is fetched while it is not proven. */
  sandbox: Pick<SandboxWatch, 'isProven'>;
  log: Logger;
}

/** The refresh is no longer wanted, or another worker has it. */
class RefreshNotWantedError extends Error {}

/**
 * Takes projects whose remote is to be asked for newer commits. As with the first fetch the row is the only word on
 * who does: what a worker that died had begun lies under its attempt's key and counts for nothing, and until the last
 * statement the project has its old files.
 */
export class ProjectRefreshes {
  /** What a user stopped and asked for again may run here a moment longer than the next attempt has begun. */
  private readonly running = new Map<ClaimedRefresh, Promise<void>>();
  private readonly ending = new AbortController();
  private stopLooking: () => void = () => undefined;

  constructor(private readonly parts: Parts) {}

  start(): void {
    this.stopLooking = every(LOOK_EVERY_MS, this.look);
    void this.look();
  }

  /** Stops what runs and gives it back. Resolves when no process of it is left. */
  async stop(): Promise<void> {
    this.stopLooking();
    this.ending.abort(new Error('the worker ends'));
    await Promise.all(this.running.values());
  }

  /** Takes what waits, as far as there is room. Never rejects. */
  readonly look = joined(async () => {
    const { refreshes, worker, sandbox, log } = this.parts;
    try {
      while (this.running.size < AT_ONCE && !this.ending.signal.aborted && sandbox.isProven) {
        const running = [...this.running.keys()].map(({ projectId, teamId }) => ({ projectId, teamId }));
        const claimed = await refreshes.claimNext(worker, { running });
        if (!claimed) return;
        this.running.set(
          claimed,
          this.run(claimed).finally(() => this.running.delete(claimed)),
        );
      }
    } catch (error) {
      log.debug({ err: error }, 'refresh.not_looked');
    }
  });

  private async run(claimed: ClaimedRefresh): Promise<void> {
    const { log, worker } = this.parts;
    const { projectId, attempt } = claimed;
    const ref: FetchRef = { projectId, workerId: worker.id, attempt };
    const startedAt = performance.now();
    try {
      const { bundleKey } = await this.refresh(claimed, ref);
      const ms = Math.round(performance.now() - startedAt);
      log.info({ project: projectId, attempt, changed: bundleKey !== null, ms }, 'refresh.completed');
      if (bundleKey !== null) await this.readPersonas(projectId);
    } catch (error) {
      await this.settle(ref, error);
    }
  }

  private async refresh(claimed: ClaimedRefresh, ref: FetchRef): Promise<RefreshedFiles> {
    const { refreshes, projects, remote } = this.parts;
    const { projectId, teamId, name, source, bundleKey, attempt, userId } = claimed;
    if (source.kind !== 'git') throw new Error(`a project from ${source.kind} is not refreshed`);
    await this.removeLeftovers(claimed);
    const wanted = new AbortController();
    const first = { phase: 'connecting' as const, percent: null, bytes: null };
    const reports = new ProgressReports(first, async (progress) => {
      if (!(await refreshes.report(ref, progress)))
        wanted.abort(
          new RefreshNotWantedError('it was stopped, the project is archived, or another worker refreshes it'),
        );
    });
    let brought: RefreshedFiles;
    try {
      const repository = await projects.ensure({ id: projectId, name, source, bundleKey });
      const stopped = AbortSignal.any([this.ending.signal, wanted.signal]);
      stopped.throwIfAborted();
      brought = await remote.bring({
        projectId,
        teamId,
        userId,
        source,
        repository,
        attempt,
        stopped,
        onProgress: (progress) => reports.tell(progress),
      });
    } finally {
      await reports.end();
    }
    if (await refreshes.complete(ref, bundleKey, brought)) return brought;
    if (brought.bundleKey !== null) await this.parts.blobs.delete(prefixOfBundle(brought.bundleKey));
    throw new RefreshNotWantedError('another refresh counts');
  }

  /** What an attempt that died had stored, and the state before the last one, which no worker reads by now. */
  private async removeLeftovers({ projectId, attempt, bundleKey, replacedBundleKey }: ClaimedRefresh): Promise<void> {
    const before = refreshedKey(projectId, attempt - 1);
    if (attempt > 1 && before !== bundleKey) await this.parts.blobs.delete(prefixOfBundle(before));
    if (replacedBundleKey !== null && replacedBundleKey !== bundleKey)
      await this.parts.blobs.delete(prefixOfBundle(replacedBundleKey));
  }

  /** So that they are at hand; where this fails, they are read when they are first asked for. */
  private async readPersonas(projectId: string): Promise<void> {
    const { personas, log } = this.parts;
    await personas
      .read(projectId, PERSONAS_MS)
      .catch((error: unknown) => log.warn({ err: error, project: projectId }, 'refresh.personas_not_read'));
  }

  /** Until it is written, the project would say that it is being refreshed. */
  private async settle(ref: FetchRef, error: unknown): Promise<void> {
    for (;;) {
      try {
        return await this.settleFailure(ref, error);
      } catch (failure) {
        this.parts.log.warn({ err: failure, project: ref.projectId }, 'refresh.not_settled');
        if (this.ending.signal.aborted) return;
        await delay(LOOK_EVERY_MS, undefined, { signal: this.ending.signal }).catch(() => undefined);
      }
    }
  }

  private async settleFailure(ref: FetchRef, error: unknown): Promise<void> {
    const { refreshes, log } = this.parts;
    const { projectId, attempt } = ref;
    if (error instanceof RefreshNotWantedError)
      return log.info({ project: projectId, attempt, why: error.message }, 'refresh.dropped');
    if (this.ending.signal.aborted) return refreshes.giveBack(ref);
    const failure = failureOf(error);
    if (error instanceof RemoteFailedError) log.info({ project: projectId, attempt, ...failure }, 'refresh.failed');
    else log.error({ err: error, project: projectId, attempt }, 'refresh.failed');
    await refreshes.fail(ref, failure);
  }
}

function failureOf(error: unknown): GitFailure {
  if (error instanceof RemoteFailedError) return error.failure;
  if (error instanceof ProblemError && error.code === 'SANDBOX_UNAVAILABLE')
    return { code: 'SANDBOX_UNAVAILABLE', detail: error.detail };
  return {
    code: 'GIT_FAILED',
    detail: 'The newer commits could not be fetched or stored; the worker’s log has the reason. Try again.',
  };
}
