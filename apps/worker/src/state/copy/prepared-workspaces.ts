import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskLayout, SessionDirectories } from '../../workspace/disk/disk-layout';
import type { Trash } from '../../workspace/disk/trash';
import type { ProjectRepository } from '../../workspace/project/project.types';
import type { WorkspaceMaker } from '../../workspace/session/workspace-maker';

/** Of smaller projects the files are there as fast as they are taken from where they lie ready. */
const MIN_PACK_BYTES = 16 * 1024 ** 2;
const BRANCH = 'chirality/ahead';

type BaseOfProject = Pick<ProjectRepository, 'objects' | 'baseCommit'>;
type Prepared = { baseCommit: string; home: SessionDirectories; tree: string };

interface Parts {
  layout: DiskLayout;
  maker: Pick<WorkspaceMaker, 'create' | 'renameBranch'>;
  trash: Pick<Trash, 'discard'>;
}

/**
 * The files of the next new session of a large project, checked out before it is opened: one for each project. They lie
 * among what is built aside, so that what a worker that died had left is removed like that.
 */
export class PreparedWorkspaces {
  private readonly prepared = new Map<string, Promise<Prepared | null>>();

  constructor(
    private readonly parts: Parts,
    private readonly minPackBytes = MIN_PACK_BYTES,
  ) {}

  /**
   * Resolves once they are there. Where it fails, the session makes them itself. The repository may be moved meanwhile.
   */
  async prepare(projectId: string, repository: BaseOfProject): Promise<void> {
    if ((await packBytes(repository).catch(() => 0)) < this.minPackBytes) return;
    const before = this.prepared.get(projectId);
    const making = (async () => {
      const earlier = await before;
      if (earlier?.baseCommit === repository.baseCommit) return earlier;
      if (earlier) await this.parts.trash.discard(earlier.home.dir);
      return this.make(repository);
    })().catch(() => null);
    this.prepared.set(projectId, making);
    await making;
  }

  /** Removes them: the project has other files after all. */
  async drop(projectId: string): Promise<void> {
    const making = this.prepared.get(projectId);
    this.prepared.delete(projectId);
    const prepared = await making;
    // What cannot be moved away now is removed with what crashes left half built.
    if (prepared) await this.parts.trash.discard(prepared.home.dir).catch(() => undefined);
  }

  /**
   * Moves them to `into` and names their branch; the tree of the files, or null where there are none of that commit.
   */
  async take(
    projectId: string,
    { objects }: Pick<ProjectRepository, 'objects'>,
    { into, baseCommit, branch }: { into: SessionDirectories; baseCommit: string; branch: string },
  ): Promise<string | null> {
    const making = this.prepared.get(projectId);
    this.prepared.delete(projectId);
    const prepared = await making;
    if (!prepared) return null;
    const { home, tree } = prepared;
    try {
      if (prepared.baseCommit !== baseCommit) return null;
      await rename(home.workspace, into.workspace);
      await rename(home.snapshot, into.snapshot);
      const view = { workspace: into.workspace, snapshot: into.snapshot, objects };
      await this.parts.maker.renameBranch(view, BRANCH, branch);
      return tree;
    } catch {
      for (const path of [into.workspace, into.snapshot]) await this.parts.trash.discard(path);
      return null;
    } finally {
      await this.parts.trash.discard(home.dir);
    }
  }

  private async make({ baseCommit, objects }: BaseOfProject): Promise<Prepared> {
    const home = this.parts.layout.aside('sessions');
    try {
      for (const path of [home.workspace, home.snapshot]) await mkdir(path, { recursive: true, mode: 0o700 });
      const view = { workspace: home.workspace, snapshot: home.snapshot, objects };
      return { baseCommit, home, tree: await this.parts.maker.create(view, baseCommit, BRANCH) };
    } catch (error) {
      await this.parts.trash.discard(home.dir);
      throw error;
    }
  }
}

async function packBytes({ objects }: BaseOfProject): Promise<number> {
  const directory = join(objects, 'pack');
  const packs = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.pack'));
  const sizes = await Promise.all(packs.map(async (name) => (await stat(join(directory, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
