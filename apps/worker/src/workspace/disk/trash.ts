import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptRunner } from '../script/script-runner';

/** The agent may have taken away its own right to enter a directory, which would stop the deletion there. */
const EMPTY_DIRECTORY = String.raw`
chmod -R u+rwx "$W" 2>/dev/null || :
find "$W" -mindepth 1 -delete
`;
const TIMEOUT_MS = 300_000;

/**
 * Deletes trees that an agent wrote to. A tree leaves its place at once, by a rename; its files are deleted later and
 * inside a sandbox, where a link swapped for a directory leads nowhere.
 */
export class Trash {
  private emptying: Promise<void> = Promise.resolve();

  constructor(
    private readonly root: string,
    private readonly scripts: ScriptRunner,
    private readonly onError: (error: unknown) => void = () => undefined,
  ) {}

  /** Takes the path away. Returns without error when nothing is there. */
  async discard(path: string): Promise<void> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    try {
      await rename(path, join(this.root, randomBytes(12).toString('hex')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    this.emptyLater();
  }

  /** Begins to delete what was discarded, also by an earlier process. */
  emptyLater(): void {
    this.emptying = this.emptying.then(() => this.empty()).catch(this.onError);
  }

  /** Resolves when what was discarded so far is deleted or has failed to be. */
  async emptied(): Promise<void> {
    await this.emptying;
  }

  private async empty(): Promise<void> {
    const names = await readdir(this.root).catch(() => []);
    for (const name of names) await this.deleteTree(join(this.root, name)).catch(this.onError);
  }

  private async deleteTree(path: string): Promise<void> {
    await this.scripts.run({
      text: EMPTY_DIRECTORY,
      mounts: { workspace: path },
      maxOutputBytes: 4_096,
      timeoutMs: TIMEOUT_MS,
    });
    await rmdir(path);
  }
}
