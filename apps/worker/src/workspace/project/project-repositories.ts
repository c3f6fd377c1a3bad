import { randomBytes } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ProblemError, type BlobStore } from '@chirality/platform';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../disk/atomic-file';
import type { Trash } from '../disk/trash';
import type { ScriptRunner } from '../script/script-runner';
import type { ProjectBundles, ProjectRecord, ProjectRepository } from './project.types';
import { DESCRIBE_REPOSITORY, IMPORT_BUNDLE, KEEP_REPOSITORY, WRITE_BUNDLE } from './project-scripts';
import { differenceKey, isLaterBundle, isOfRefresh, UPDATE_REPOSITORY } from './refreshed-bundles';
import type { SourceImporter } from './source-importer';

const TIMEOUT_MS = 600_000;

/** `earlier`: bundles that the repository was built from before, all of whose commits it still has; oldest first. */
const recordSchema = z.object({
  bundleKey: z.string(),
  branch: z.string(),
  baseCommit: z.string(),
  earlier: z.array(z.string()).default([]),
});
type RepositoryRecord = z.infer<typeof recordSchema>;

const MAX_EARLIER = 50;

interface Parts {
  scripts: ScriptRunner;
  importer: SourceImporter;
  blobs: BlobStore;
  bundles: ProjectBundles;
  trash: Trash;
}

/**
 * The bare repositories of projects on this worker's disk, at `<root>/<project id>/repo.git`. The first worker to need
 * one imports the source and offers a bundle of it; every worker builds from the bundle that the project's row names,
 * so all agree on the commit that sessions start from. A repository is built aside and renamed into place. After a
 * refresh the new commits are added to it where it lies, because sandboxes that run have its objects.
 */
export class ProjectRepositories {
  private readonly building = new Map<string, Promise<unknown>>();

  constructor(
    private readonly root: string,
    private readonly parts: Parts,
  ) {}

  /**
   * The project's repository, built now if need be. Throws WORKING_ROOT_INACCESSIBLE when the source cannot be read,
   * and WORKSPACE_UNAVAILABLE when the stored bundle is gone.
   */
  async ensure(project: ProjectRecord): Promise<ProjectRepository> {
    const known = await this.find(project.id, project.bundleKey);
    if (known) {
      if (project.baseCommit === null) await this.parts.bundles.recordBase(project.id, known.bundleKey, known);
      return known;
    }
    const before = this.building.get(project.id);
    // What is being built may be an earlier state of the project.
    if (before) return before.then(() => this.ensure(project));
    const building = this.build(project).finally(() => this.building.delete(project.id));
    this.building.set(project.id, building);
    return building;
  }

  /** The repository as it is on this disk, whatever the project has by now; null where there is none. */
  here(projectId: string): Promise<ProjectRepository | null> {
    return this.find(projectId, null);
  }

  /** Where the objects of a project's repository are once it is built. */
  objectsOf(projectId: string): string {
    return join(this.root, projectId, 'repo.git', 'objects');
  }

  /**
   * Null `bundleKey`: the row was read before the bundle was agreed upon; what is on disk was written after. So was
   * what a later refresh brought, which has all commits of the states before it: a row that was read before it gets
   * that.
   */
  private async find(projectId: string, bundleKey: string | null): Promise<ProjectRepository | null> {
    const record = await this.recordOf(projectId);
    if (!record || (bundleKey !== null && !hasStateOf(record, bundleKey))) return null;
    const path = join(this.root, projectId, 'repo.git');
    return {
      path,
      bundleKey: record.bundleKey,
      objects: this.objectsOf(projectId),
      branch: record.branch,
      baseCommit: record.baseCommit,
    };
  }

  private recordOf(projectId: string): Promise<RepositoryRecord | null> {
    return readJsonFile(join(this.root, projectId, 'project.json'), recordSchema);
  }

  private async build(project: ProjectRecord): Promise<ProjectRepository> {
    const built = (await this.update(project)) ?? (await this.buildAside(project));
    await this.parts.bundles.recordBase(project.id, built.bundleKey, built);
    return built;
  }

  /** Adds what a refresh brought to the repository that is here. Null: there is none, or it is not of a refresh. */
  private async update({ id, bundleKey }: ProjectRecord): Promise<ProjectRepository | null> {
    const record = await this.recordOf(id);
    if (!record || bundleKey === null || !isOfRefresh(bundleKey)) return null;
    const directory = join(this.root, id);
    const bundle =
      (await this.parts.blobs.get(differenceKey(bundleKey, record.baseCommit))) ?? (await this.openBundle(bundleKey));
    await this.parts.scripts.feed(
      { text: UPDATE_REPOSITORY, mounts: { workspace: directory }, timeoutMs: TIMEOUT_MS },
      bundle,
    );
    const earlier = [...record.earlier, record.bundleKey].slice(-MAX_EARLIER);
    await writeJsonFile(join(directory, 'project.json'), { bundleKey, ...(await this.describe(directory)), earlier });
    return this.find(id, bundleKey);
  }

  private async buildAside(project: ProjectRecord): Promise<ProjectRepository> {
    const bundleKey = project.bundleKey ?? (await this.aside((directory) => this.agreeOnBundle(project, directory)));
    return this.aside(async (directory) => {
      await this.importBundle(bundleKey, directory);
      await writeJsonFile(join(directory, 'project.json'), { bundleKey, ...(await this.describe(directory)) });
      return this.putInPlace(project.id, bundleKey, directory);
    });
  }

  /**
   * Stores under `key` a bundle of the repository that `fill` makes, `repo.git` in a private directory that is removed
   * afterwards. Throws the signal's reason when it was stopped.
   */
  async storeBundle<T extends { branch: string }>(
    key: string,
    fill: (directory: string) => Promise<T>,
    stopped?: AbortSignal,
    stored?: (filled: T, directory: string) => Promise<void>,
  ): Promise<T> {
    return this.aside(async (directory) => {
      const filled = await fill(directory);
      await this.writeBundle(key, directory, filled, stopped);
      await stored?.(filled, directory);
      return filled;
    });
  }

  /**
   * As `storeBundle`, and where `settle` then answers that the bundle is the project's, the repository that it was made
   * of stays here if its objects are packed: none has to be built of the bundle. False: another one counts.
   */
  async storeFetched<T extends { branch: string }>(
    wanted: { projectId: string; key: string; isPacked: boolean; stopped: AbortSignal },
    fill: (directory: string) => Promise<T>,
    settle: (filled: T) => Promise<boolean>,
  ): Promise<boolean> {
    const { projectId, key, isPacked, stopped } = wanted;
    let counts = false;
    await this.storeBundle(key, fill, stopped, async (filled, directory) => {
      const keeping = (async () => {
        counts = await settle(filled);
        // Where this fails it is built of the bundle, as on every other worker.
        if (counts && isPacked) await this.keep(projectId, key, directory).catch(() => undefined);
      })();
      // From the moment that the row names the bundle, a session may ask for the repository.
      const ended = keeping.catch(() => undefined).finally(() => this.building.delete(projectId));
      this.building.set(projectId, ended);
      await keeping;
    });
    return counts;
  }

  /** The repository alone, without what else fetching left beside it. */
  private async keep(projectId: string, bundleKey: string, fetched: string): Promise<void> {
    await this.aside(async (directory) => {
      await rename(join(fetched, 'repo.git'), join(directory, 'repo.git'));
      await this.parts.scripts.run({
        text: KEEP_REPOSITORY,
        mounts: { workspace: directory },
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes: 4_096,
      });
      await writeJsonFile(join(directory, 'project.json'), { bundleKey, ...(await this.describe(directory)) });
      await this.putInPlace(projectId, bundleKey, directory);
    });
  }

  private async writeBundle(
    key: string,
    directory: string,
    { branch }: { branch: string },
    stopped?: AbortSignal,
  ): Promise<void> {
    const script = {
      stopped,
      text: WRITE_BUNDLE,
      args: [branch],
      mounts: { workspace: directory, workspaceReadOnly: true },
      timeoutMs: TIMEOUT_MS,
    };
    await this.parts.scripts.collect(script, (output) => this.parts.blobs.put(key, output));
  }

  private async agreeOnBundle(project: ProjectRecord, directory: string): Promise<string> {
    const offered = `projects/${project.id}/${randomBytes(12).toString('hex')}.bundle`;
    await this.writeBundle(offered, directory, await this.parts.importer.import(project, directory));
    const agreed = await this.parts.bundles.adoptBundle(project.id, offered);
    if (agreed !== offered) await this.parts.blobs.delete(offered);
    return agreed;
  }

  private async importBundle(bundleKey: string, directory: string): Promise<void> {
    await this.parts.scripts.feed(
      { text: IMPORT_BUNDLE, mounts: { workspace: directory }, timeoutMs: TIMEOUT_MS },
      await this.openBundle(bundleKey),
    );
  }

  private async openBundle(bundleKey: string): Promise<Readable> {
    const bundle = await this.parts.blobs.get(bundleKey);
    if (bundle) return bundle;
    throw new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      "The project's stored files are missing. Restore the blob store from a backup.",
    );
  }

  private async describe(directory: string): Promise<{ branch: string; baseCommit: string }> {
    const mounts = { workspace: directory, workspaceReadOnly: true };
    const { stdout } = await this.parts.scripts.run({
      text: DESCRIBE_REPOSITORY,
      mounts,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: 4_096,
    });
    const [branch = '', baseCommit = ''] = stdout.toString('utf8').trim().split(' ');
    return { branch, baseCommit };
  }

  private async putInPlace(projectId: string, bundleKey: string, directory: string): Promise<ProjectRepository> {
    const path = join(this.root, projectId);
    // A worker that shares this disk may have been quicker, and its sessions use what is there.
    const existing = await this.find(projectId, bundleKey);
    if (existing) return existing;
    await this.parts.trash.discard(path);
    await rename(directory, path);
    const placed = await this.find(projectId, bundleKey);
    if (!placed) throw new Error(`the repository of ${projectId} is not as it was written`);
    return placed;
  }

  /** Runs `work` in a private directory on this disk, which is removed afterwards. */
  async aside<T>(work: (directory: string) => Promise<T>): Promise<T> {
    const directory = join(this.root, `.build-${randomBytes(12).toString('hex')}`);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    try {
      return await work(directory);
    } finally {
      await this.parts.trash.discard(directory);
    }
  }
}

function hasStateOf({ bundleKey, earlier }: RepositoryRecord, wanted: string): boolean {
  return [bundleKey, ...earlier].includes(wanted) || isLaterBundle(bundleKey, wanted);
}
