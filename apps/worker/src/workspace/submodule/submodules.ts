import type { SourceProgress, SubmoduleReport } from '@chirality/contracts';
import {
  isBesideProject,
  parseGitAddress,
  submoduleAddress,
  type GitAddress,
  type PrivateHosts,
} from '@chirality/domain';
import type { GitAct } from '../../git-account/git-accounts';
import { FetchFailedError } from '../project/fetch-failure';
import type { ScriptRunner } from '../script/script-runner';
import type { RemoteRepositories } from '../transport/remote-repositories';
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

interface Parts {
  remotes: Pick<RemoteRepositories, 'run'>;
  scripts: ScriptRunner;
  privateHosts: PrivateHosts;
}

/**
 * Brings the commits of a project's submodules into its own repository, below `refs/chirality/modules`: from the
 * project's own host alone, with the account that the act chooses for it, or without one where the submodule is not
 * beside the project. What is refused or fails is left out, and named with the reason; the project works without it.
 */
export class Submodules {
  constructor(
    private readonly parts: Parts,
    private readonly limits = LIMITS,
  ) {}

  /** `added`: how many commits were not there before. Throws the signal's reason when it was stopped. */
  async bring(wanted: Wanted): Promise<{ report: SubmoduleReport; added: number }> {
    const run = new SubmoduleRun(this.parts, wanted, this.limits);
    await run.bringAll(wanted.commit);
    return run.keep();
  }
}

class SubmoduleRun {
  private readonly kept = new Set<string>();
  private readonly left: SubmoduleReport['left'] = [];
  private included = 0;
  private leftCount = 0;
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
    const { directory, known, stopped } = this.wanted;
    for (const listed of await listSubmodules(this.parts.scripts, { directory, known, commit })) {
      stopped.throwIfAborted();
      const path = prefix + listed.path;
      const brought = await this.bringOne(parent, listed, depth);
      if (typeof brought === 'string') this.leave(path, brought);
      else {
        this.included += 1;
        this.kept.add(listed.commit);
        await this.bringThoseOf(brought, listed.commit, `${path}/`, depth + 1);
      }
    }
  }

  /** The address that it came from, or why it is left out. */
  private async bringOne(
    parent: GitAddress,
    { commit, isHere, url, path }: ListedSubmodule,
    depth: number,
  ): Promise<GitAddress | string> {
    if (depth > this.limits.depth) return `submodules are fetched to a depth of ${this.limits.depth}`;
    this.seen += 1;
    if (this.seen > this.limits.count) return `at most ${this.limits.count} submodules of a project are fetched`;
    if (path.includes('\n')) return 'its path has a line break';
    if (url === null) return '.gitmodules gives no address for it';
    const address = submoduleAddress(parent, url, this.parts.privateHosts);
    if (typeof address === 'string') return address;
    if (isHere || this.kept.has(commit)) return address;
    const { act, directory, known, stopped, onProgress } = this.wanted;
    const timeoutMs = this.endsAt - performance.now();
    if (timeoutMs < 1_000) return 'the time for submodules was up before it';
    const withoutAccount = this.project === null || !isBesideProject(this.project, address);
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
      return withoutAccount && error.failure.code === 'GIT_AUTH_FAILED' ? NOT_BESIDE : error.failure.detail;
    }
  }

  private leave(path: string, reason: string): void {
    this.leftCount += 1;
    if (this.left.length < MAX_NAMED) this.left.push({ path: path.slice(0, MAX_PATH_CHARS), reason });
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
    const { included, leftCount, left, added } = this;
    return { report: { included, leftCount, left }, added };
  }
}
