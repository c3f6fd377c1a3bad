import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SourceProgress, SourceReport } from '@chirality/contracts';
import type { ClaimedFetch, FetchRef, ProjectFetchRepository, WorkerLife } from '@chirality/database';
import { every, joined, type BlobStore, type Logger } from '@chirality/platform';
import type { PreparedWorkspaces } from '../state/copy/prepared-workspaces';
import type { SandboxWatch } from '../sandbox/sandbox-watch';
import { FetchFailedError } from '../workspace/project/fetch-failure';
import type { ProjectRepositories } from '../workspace/project/project-repositories';
import type { UploadUnpacker } from '../workspace/project/upload-unpacker';
import type { Submodules } from '../workspace/submodule/submodules';
import type { RemoteRepositories } from '../workspace/transport/remote-repositories';
import { ProgressReports } from './progress-reports';

const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 2;

interface Parts {
  worker: WorkerLife;
  fetches: Pick<ProjectFetchRepository, 'claimNext' | 'report' | 'complete' | 'fail' | 'giveBack'>;
  remotes: Pick<RemoteRepositories, 'fetch'>;
  submodules: Pick<Submodules, 'bring'>;
  uploads: Pick<UploadUnpacker, 'unpack'>;
  projects: Pick<ProjectRepositories, 'storeFetched'>;
  /** The files of the first session of a large project are checked out while its bundle is stored. */
  ahead: Pick<PreparedWorkspaces, 'prepare' | 'drop'>;
  blobs: BlobStore;
  /** Nothing is fetched while it is not proven. */
  sandbox: Pick<SandboxWatch, 'isProven'>;
  log: Logger;
}

type FetchedFiles = { branch: string; baseCommit: string; report?: SourceReport };

/** The fetch is no longer wanted, or another worker has it. */
class FetchNotWantedError extends Error {}

/**
 * Takes projects whose files have to come over the network, fetches them, and stores them as the bundle that every
 * worker builds from. The row is the only word on who fetches: what a worker that died had begun lies in a separate
 * directory and under its attempt's key, and counts for nothing.
 */
export class SourceFetches {
  /** What a user stopped and asked for again may run here a moment longer than the next attempt has begun. */
  private readonly running = new Map<FetchRef, Promise<void>>();
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
    try {
      while (this.running.size < AT_ONCE && !this.ending.signal.aborted && this.parts.sandbox.isProven) {
        const claimed = await this.parts.fetches.claimNext(this.parts.worker, {
          running: [...this.running.keys()].map(({ projectId }) => projectId),
        });
        if (!claimed) return;
        const { projectId, attempt } = claimed;
        const ref: FetchRef = { projectId, workerId: this.parts.worker.id, attempt };
        this.running.set(
          ref,
          this.run(claimed, ref).finally(() => this.running.delete(ref)),
        );
      }
    } catch (error) {
      this.parts.log.debug({ err: error }, 'source.not_looked');
    }
  });

  private async run(claimed: ClaimedFetch, ref: FetchRef): Promise<void> {
    const { log } = this.parts;
    const { projectId, attempt } = claimed;
    const startedAt = performance.now();
    try {
      await this.fetch(claimed, ref);
      log.info({ project: projectId, attempt, ms: Math.round(performance.now() - startedAt) }, 'source.fetched');
    } catch (error) {
      await this.settle(ref, error);
    }
  }

  /**
   * Until it is written, the project would say that it is being fetched. After the worker's end the reconciler sees to
   * it.
   */
  private async settle(ref: FetchRef, error: unknown): Promise<void> {
    for (;;) {
      try {
        return await this.settleFailure(ref, error);
      } catch (failure) {
        this.parts.log.warn({ err: failure, project: ref.projectId }, 'source.not_settled');
        if (this.ending.signal.aborted) return;
        await delay(LOOK_EVERY_MS, undefined, { signal: this.ending.signal }).catch(() => undefined);
      }
    }
  }

  private async fetch(claimed: ClaimedFetch, ref: FetchRef): Promise<void> {
    const { fetches, projects, blobs } = this.parts;
    const { projectId, attempt, uploadKey } = claimed;
    const key = (number: number) => `projects/${projectId}/fetch-${number}.bundle`;
    // A worker that died between storing and saying so has left one.
    if (attempt > 1) await blobs.delete(key(attempt - 1));
    const wanted = new AbortController();
    const stopped = AbortSignal.any([this.ending.signal, wanted.signal]);
    const first = {
      phase: claimed.source.kind === 'upload' ? ('unpacking' as const) : ('connecting' as const),
      percent: null,
      bytes: null,
    };
    const reports = new ProgressReports(first, async (progress) => {
      if (!(await fetches.report(ref, progress)))
        wanted.abort(new FetchNotWantedError('it was stopped, the project is archived, or another worker fetches it'));
    });
    let counts = false;
    try {
      counts = await projects.storeFetched(
        { projectId, key: key(attempt), isPacked: claimed.source.kind === 'git', stopped },
        async (directory) => {
          const fetched = await this.bring(claimed, directory, stopped, reports);
          const { baseCommit } = fetched;
          void this.parts.ahead.prepare(projectId, { objects: join(directory, 'repo.git', 'objects'), baseCommit });
          reports.tell({ phase: 'storing', percent: null, bytes: null });
          return fetched;
        },
        async (base) => {
          await reports.end();
          return fetches.complete(ref, key(attempt), base);
        },
      );
    } finally {
      if (!counts) void this.parts.ahead.drop(projectId);
      await reports.end();
    }
    if (counts) {
      // The bundle has what was uploaded; where this fails, the archive lies there unused.
      if (uploadKey !== null)
        await blobs
          .delete(uploadKey)
          .catch((error: Error) => this.parts.log.warn({ err: error, project: projectId }, 'source.upload_kept'));
      return;
    }
    await blobs.delete(key(attempt));
    throw new FetchNotWantedError('another fetch counts');
  }

  /** Makes `repo.git` in the directory. */
  private async bring(
    { projectId, teamId, userId, source, uploadKey }: ClaimedFetch,
    directory: string,
    stopped: AbortSignal,
    reports: ProgressReports,
  ): Promise<FetchedFiles> {
    const { remotes, submodules, uploads } = this.parts;
    if (source.kind === 'git') {
      const onProgress = (progress: SourceProgress) => reports.tell(progress);
      const fetched = await remotes.fetch({
        projectId,
        teamId,
        userId,
        url: source.url,
        branch: source.branch,
        directory,
        stopped,
        onProgress,
      });
      const act = { projectId, teamId, userId, what: 'fetch' as const };
      const { url } = source;
      const brought = await submodules.bring({
        act,
        url,
        directory,
        commit: fetched.baseCommit,
        stopped,
        onProgress,
      });
      return { ...fetched, report: brought.report };
    }
    if (source.kind !== 'upload' || uploadKey === null) throw new Error(`a project from ${source.kind} is not fetched`);
    return uploads.unpack(uploadKey, directory, stopped);
  }

  private async settleFailure(ref: FetchRef, error: unknown): Promise<void> {
    const { fetches, log } = this.parts;
    if (error instanceof FetchNotWantedError)
      return log.info({ project: ref.projectId, attempt: ref.attempt, why: error.message }, 'source.dropped');
    if (this.ending.signal.aborted) return fetches.giveBack(ref);
    const failure =
      error instanceof FetchFailedError
        ? error.failure
        : {
            code: 'SOURCE_FAILED' as const,
            detail: 'The files could not be fetched or stored; the worker’s log has the reason. Try again.',
          };
    if (error instanceof FetchFailedError)
      log.info({ project: ref.projectId, attempt: ref.attempt, ...failure }, 'source.failed');
    else log.error({ err: error, project: ref.projectId, attempt: ref.attempt }, 'source.failed');
    await fetches.fail(ref, failure);
  }
}
