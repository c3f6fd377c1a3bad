import type { SourceProgress, SourceReport, SubmoduleReport } from '@chirality/contracts';
import {
  isBesideProject,
  parseGitAddress,
  submoduleAddress,
  type GitAddress,
  type PrivateHosts,
} from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import type { GitAct } from '../../git-account/git-accounts';
import { FetchFailedError } from '../project/fetch-failure';
import { ScriptFailure } from '../script/script-failure';
import type { ScriptRunner } from '../script/script-runner';
import type { RemoteRepositories } from '../transport/remote-repositories';
import { countPointers } from './count-pointers';
import { listSubmodules, type ListedSubmodule } from './list-submodules';
import { SUBMODULE_LIMITS } from './submodule-limits';
import { FETCH_SUBMODULE, KEEP_SUBMODULES } from './submodule-scripts';

/** What is beyond is named and left out. */
const LIMITS: { depth: number; count: number; totalMs: number } = { ...SUBMODULE_LIMITS, totalMs: 15 * 60_000 };
const KEEP_TIMEOUT_MS = 60_000;
const MAX_NAMED = 50;
const MAX_PATH_CHARS = 500;
const NOT_BESIDE = 'it is not public, and no git account is used outside the project’s own group at the host';

type Wanted = {
  act: GitAct;
  /** Of the project. */
  url: string;
  /** Where `repo.git` has the commit. */
  directory: string;
  /** A repository whose objects that one borrows. */
  known?: string | undefined;
  commit: string;
  stopped: AbortSignal;
  onProgress(progress: SourceProgress): void;
};

/** `commit`: it is left out unless that commit comes by another path. */
type Left = { reason: string; commit?: string };

interface Parts {
  remotes: Pick<RemoteRepositories, 'run'>;
  scripts: ScriptRunner;
  privateHosts: PrivateHosts;
}

/**
 * Brings the commits of a project's submodules into its own repository, below `refs/chirality/modules`: from the
 * project's own host alone, with the account that the act chooses for it, or without one where the submodule is not
 * beside the project. What is refused or fails is left out, and named with the reason; the project works without it.
 * Files that are pointers of Git LFS are counted.
 */
export class Submodules {
  constructor(
    private readonly parts: Parts,
    private readonly limits = LIMITS,
  ) {}

  /** `added`: how many commits were not there before. Throws the signal's reason when it was stopped. */
  async bring(wanted: Wanted): Promise<{ report: SourceReport; added: number }> {
    const run = new SubmoduleRun(this.parts, wanted, this.limits);
    await run.bringAll(wanted.commit);
    const { report, added } = await run.keep();
    const lfs = await this.countPointers(wanted);
    return { report: { submodules: report, lfs, leftOut: null }, added };
  }

  /** Null where they could not be counted: the project works without that. */
  private async countPointers(wanted: Wanted): Promise<SourceReport['lfs']> {
    try {
      return await countPointers(this.parts.scripts, wanted);
    } catch (error) {
      if (error instanceof ScriptFailure || error instanceof ProblemError) return null;
      throw error;
    }
  }
}

class SubmoduleRun {
  private readonly kept = new Set<string>();
  private readonly left: (Left & { path: string })[] = [];
  private included = 0;
  private seen = 0;
  private added = 0;
  private readonly endsAt: number;
  private readonly project: GitAddress | null;

  constructor(
    private readonly parts: Parts,
    private readonly wanted: Wanted,
    private readonly limits: typeof LIMITS,
  ) {
    this.endsAt = performance.now() + limits.totalMs;
    this.project = parseGitAddress(wanted.url, parts.privateHosts);
  }

  async bringAll(commit: string): Promise<void> {
    if (this.project !== null) await this.bringThoseOf(this.project, commit, '', 1);
  }

  private async bringThoseOf(parent: GitAddress, commit: string, prefix: string, depth: number): Promise<void> {
    const { stopped } = this.wanted;
    for (const listed of await this.list(commit, prefix)) {
      stopped.throwIfAborted();
      const path = prefix + listed.path;
      const brought = await this.bringOne(parent, { ...listed, path }, depth);
      if ('reason' in brought) this.leave({ path, ...brought });
      else {
        this.included += 1;
        this.kept.add(listed.commit);
        await this.bringThoseOf(brought, listed.commit, `${path}/`, depth + 1);
      }
    }
  }

  /** What cannot be listed is named, and the project works without it. */
  private async list(commit: string, prefix: string): Promise<ListedSubmodule[]> {
    const { directory, known } = this.wanted;
    const path = `${prefix}.gitmodules`;
    try {
      const { listed, truncated } = await listSubmodules(this.parts.scripts, { directory, known, commit });
      if (truncated) this.leave({ path, reason: 'it names more submodules than are looked at' });
      return listed;
    } catch (error) {
      if (!(error instanceof ScriptFailure || error instanceof ProblemError)) throw error;
      this.leave({ path, reason: 'the submodules that it names could not be listed' });
      return [];
    }
  }

  /** The address that it came from, or why it is left out. */
  private async bringOne(
    parent: GitAddress,
    { commit, isHere, url, path }: ListedSubmodule,
    depth: number,
  ): Promise<GitAddress | Left> {
    if (depth > this.limits.depth) return { reason: `submodules are fetched to a depth of ${this.limits.depth}` };
    this.seen += 1;
    if (this.seen > this.limits.count)
      return { reason: `at most ${this.limits.count} submodules of a project are fetched` };
    if (path.includes('\n')) return { reason: 'its path has a line break' };
    if (url === null) return { reason: '.gitmodules gives no address for it', commit };
    const address = submoduleAddress(parent, url, this.parts.privateHosts);
    if (typeof address === 'string') return { reason: address, commit };
    if (isHere || this.kept.has(commit)) return address;
    const { act, directory, known, stopped } = this.wanted;
    const timeoutMs = this.endsAt - performance.now();
    if (timeoutMs < 1_000) return { reason: 'the time for submodules was up before it', commit };
    const withoutAccount = this.project === null || !isBesideProject(this.project, address);
    const onProgress = (progress: SourceProgress) =>
      this.wanted.onProgress({ ...progress, submodule: path.slice(0, MAX_PATH_CHARS) });
    onProgress({ phase: 'connecting', percent: null, bytes: null });
    try {
      await this.parts.remotes.run(act, address.url, {
        text: FETCH_SUBMODULE,
        withoutAccount,
        args: [commit],
        directory,
        known,
        limits: { timeoutMs },
        stopped,
        onProgress,
      });
      this.added += 1;
      return address;
    } catch (error) {
      if (!(error instanceof FetchFailedError)) throw error;
      const { code, detail } = error.failure;
      return { reason: withoutAccount && code === 'GIT_AUTH_FAILED' ? NOT_BESIDE : detail, commit };
    }
  }

  private leave(left: Left & { path: string }): void {
    this.left.push(left);
  }

  async keep(): Promise<{ report: SubmoduleReport; added: number }> {
    const { directory, known } = this.wanted;
    if (this.kept.size > 0)
      await this.parts.scripts.run({
        text: KEEP_SUBMODULES,
        args: [...this.kept],
        mounts: { workspace: directory, ...(known === undefined ? {} : { source: known }) },
        timeoutMs: KEEP_TIMEOUT_MS,
        maxOutputBytes: 1_024,
      });
    // Its commit came by another path, so its files are there.
    const left = this.left.filter(({ commit }) => commit === undefined || !this.kept.has(commit));
    const named = left.slice(0, MAX_NAMED).map(({ path, reason }) => ({ path: path.slice(0, MAX_PATH_CHARS), reason }));
    const included = this.included + this.left.length - left.length;
    return { report: { included, leftCount: left.length, left: named }, added: this.added };
  }
}
