import { randomBytes } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, type BlobStore } from '@chirality/platform';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../disk/atomic-file';
import type { Trash } from '../disk/trash';
import type { ScriptRunner } from '../script/script-runner';
import type { ProjectBundles, ProjectRecord, ProjectRepository } from './project.types';
import { DESCRIBE_REPOSITORY, IMPORT_BUNDLE, WRITE_BUNDLE } from './project-scripts';
import type { SourceImporter } from './source-importer';

const TIMEOUT_MS = 600_000;

const recordSchema = z.object({ bundleKey: z.string(), branch: z.string(), baseCommit: z.string() });

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
 * so all agree on the commit that sessions start from. A repository is built aside, renamed into place, and not
 * changed after that.
 */
export class ProjectRepositories {
  private readonly building = new Map<string, Promise<ProjectRepository>>();

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
    if (known) return known;
    const building =
      this.building.get(project.id) ?? this.build(project).finally(() => this.building.delete(project.id));
    this.building.set(project.id, building);
    return building;
  }

  /** Where the objects of a project's repository are once it is built. */
  objectsOf(projectId: string): string {
    return join(this.root, projectId, 'repo.git', 'objects');
  }

  /** Null `bundleKey`: the row was read before the bundle was agreed upon; what is on disk was written after. */
  private async find(projectId: string, bundleKey: string | null): Promise<ProjectRepository | null> {
    const directory = join(this.root, projectId);
    const record = await readJsonFile(join(directory, 'project.json'), recordSchema);
    if (!record || (bundleKey !== null && bundleKey !== record.bundleKey)) return null;
    const path = join(directory, 'repo.git');
    return {
      path,
      bundleKey: record.bundleKey,
      objects: this.objectsOf(projectId),
      branch: record.branch,
      baseCommit: record.baseCommit,
    };
  }

  private async build(project: ProjectRecord): Promise<ProjectRepository> {
    const bundleKey = project.bundleKey ?? (await this.aside((directory) => this.agreeOnBundle(project, directory)));
    return this.aside(async (directory) => {
      await this.importBundle(bundleKey, directory);
      await writeJsonFile(join(directory, 'project.json'), { bundleKey, ...(await this.describe(directory)) });
      return this.putInPlace(project.id, bundleKey, directory);
    });
  }

  /**
   * Stores under `key` a bundle of the repository that `fill` makes, `repo.git` in a private directory that is removed
   * afterwards.
   */
  async storeBundle(key: string, fill: (directory: string) => Promise<{ branch: string }>): Promise<void> {
    await this.aside(async (directory) => this.writeBundle(key, directory, await fill(directory)));
  }

  private async writeBundle(key: string, directory: string, { branch }: { branch: string }): Promise<void> {
    const script = {
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
    const bundle = await this.parts.blobs.get(bundleKey);
    if (!bundle)
      throw new ProblemError(
        'WORKSPACE_UNAVAILABLE',
        "The project's stored files are missing. Restore the blob store from a backup.",
      );
    await this.parts.scripts.feed(
      { text: IMPORT_BUNDLE, mounts: { workspace: directory }, timeoutMs: TIMEOUT_MS },
      bundle,
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

  private async aside<T>(work: (directory: string) => Promise<T>): Promise<T> {
    const directory = join(this.root, `.build-${randomBytes(12).toString('hex')}`);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    try {
      return await work(directory);
    } finally {
      await this.parts.trash.discard(directory);
    }
  }
}
