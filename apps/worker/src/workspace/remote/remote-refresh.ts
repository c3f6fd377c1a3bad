import type { ProjectSource, SourceProgress, SourceReport } from '@chirality/contracts';
import type { BlobStore } from '@chirality/platform';
import { FetchFailedError } from '../project/fetch-failure';
import type { ProjectRepositories } from '../project/project-repositories';
import type { ProjectRepository } from '../project/project.types';
import { differenceKey, refreshedKey, WRITE_DIFFERENCE, WRITE_REFRESHED } from '../project/refreshed-bundles';
import type { ScriptRunner } from '../script/script-runner';
import type { Submodules } from '../submodule/submodules';
import { RemoteFailedError, remoteFailureOf } from '../transport/git-failure';
import type { RemoteRepositories } from '../transport/remote-repositories';
import { REFRESH_REMOTE } from './refresh-script';

const WRITE_TIMEOUT_MS = 600_000;

/** A remote that is asked for what it has beyond a project's repository. */
export type WantedRefresh = {
  projectId: string;
  teamId: string;
  userId: string;
  source: Extract<ProjectSource, { kind: 'git' }>;
  repository: ProjectRepository;
  attempt: number;
  stopped: AbortSignal;
  onProgress(progress: SourceProgress): void;
};

type Found = { branch: string; baseCommit: string; isRewritten: boolean; count: number };
export type RefreshedFiles = {
  bundleKey: string | null;
  branch: string;
  baseCommit: string;
  note: string | null;
  report: SourceReport | null;
};

interface Parts {
  remotes: Pick<RemoteRepositories, 'run'>;
  submodules: Pick<Submodules, 'bring'>;
  scripts: ScriptRunner;
  projects: Pick<ProjectRepositories, 'aside'>;
  blobs: BlobStore;
}

/** Brings a project's newer commits, and stores them as a bundle that no project names yet. */
export class RemoteRefresh {
  constructor(private readonly parts: Parts) {}

  /** Throws RemoteFailedError with what people then read, and the signal's reason when it was stopped. */
  async bring(wanted: WantedRefresh): Promise<RefreshedFiles> {
    return this.parts.projects.aside(async (directory) => {
      const found = await this.fetch(wanted, directory);
      const { branch, baseCommit } = found;
      const note = noteOf(found, wanted.repository);
      const { report, added } = await this.bringSubmodules(wanted, directory, baseCommit);
      const isSame = baseCommit === wanted.repository.baseCommit && branch === wanted.repository.branch;
      if (isSame && added === 0) return { bundleKey: null, branch, baseCommit, note, report };
      wanted.onProgress({ phase: 'storing', percent: null, bytes: null });
      return { bundleKey: await this.store(wanted, directory, found), branch, baseCommit, note, report };
    });
  }

  private async fetch(wanted: WantedRefresh, directory: string): Promise<Found> {
    const { source, repository, projectId, teamId, userId, stopped, onProgress } = wanted;
    const printed = await this.parts.remotes
      .run({ teamId, userId, projectId, what: 'refresh' }, source.url, {
        text: REFRESH_REMOTE,
        args: [source.branch ?? '', repository.branch, repository.baseCommit],
        directory,
        known: repository.path,
        stopped,
        onProgress,
      })
      .catch((error: unknown) => {
        throw error instanceof FetchFailedError ? new RemoteFailedError(remoteFailureOf(error.failure)) : error;
      });
    const [outcome, branch = '', baseCommit = '', rewritten = '', count = '0'] = printed.trim().split(' ');
    if (outcome === 'gone') throw new RemoteFailedError(branchGone(source.branch, branch));
    return { branch, baseCommit, isRewritten: rewritten === 'yes', count: Number(count) };
  }

  private async bringSubmodules(
    { source, repository, projectId, teamId, userId, stopped, onProgress }: WantedRefresh,
    directory: string,
    commit: string,
  ): Promise<{ report: SourceReport; added: number }> {
    return this.parts.submodules.bring({
      act: { teamId, userId, projectId, what: 'refresh' },
      url: source.url,
      directory,
      known: repository.path,
      commit,
      stopped,
      onProgress,
    });
  }

  private async store(
    { projectId, attempt, repository, stopped }: WantedRefresh,
    directory: string,
    { branch, count }: Found,
  ): Promise<string> {
    const { scripts, blobs } = this.parts;
    const key = refreshedKey(projectId, attempt);
    const mounts = { workspace: directory, source: repository.path };
    const write = (text: string, args: string[], into: string) =>
      scripts.collect({ text, args, mounts, timeoutMs: WRITE_TIMEOUT_MS, stopped }, (bundle) =>
        blobs.put(into, bundle),
      );
    await write(WRITE_REFRESHED, [branch], key);
    // Git makes no bundle of nothing: where the remote went back to an earlier commit.
    if (count > 0)
      await write(WRITE_DIFFERENCE, [branch, repository.baseCommit], differenceKey(key, repository.baseCommit));
    return key;
  }
}

function branchGone(wanted: string | undefined, other: string) {
  const detail =
    wanted === undefined
      ? 'The remote no longer has a default branch with a commit. Set one there, then refresh again.'
      : `The remote no longer has the branch ${wanted}.${other === '' ? '' : ` Its default branch is ${other}.`} Push the branch again, or make a project of another one.`;
  return { code: 'GIT_REMOTE_GONE' as const, detail };
}

function noteOf({ branch, isRewritten }: Found, repository: ProjectRepository): string | null {
  const notes = [
    branch === repository.branch ? null : `The remote’s default branch is now ${branch}; it was ${repository.branch}.`,
    isRewritten
      ? 'The branch was rewritten at the remote (force-pushed). Sessions that began before keep the commits they began at.'
      : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : notes.join(' ');
}
