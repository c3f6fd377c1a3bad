import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Trash } from '../../workspace/disk/trash';

/**
 * Makes a session's configuration directory hold a conversation and nothing else: what an agent put there, and what the
 * program only keeps to be faster, must not shape the next process. Call while no process uses the directory.
 */
export class ConfigClearer {
  constructor(private readonly trash: Pick<Trash, 'discard'>) {}

  async clear(directory: string, kept: readonly string[]): Promise<void> {
    const names = await readdir(directory);
    await Promise.all(names.map((name) => this.clearEntry(join(directory, name), kept.includes(name))));
  }

  /** A link in the place of a directory would have the program read and write elsewhere. */
  private async clearEntry(path: string, isKept: boolean): Promise<void> {
    const isDirectory = (await lstat(path)).isDirectory();
    if (isKept && isDirectory) return;
    try {
      await rm(path, { recursive: true, force: true });
    } catch {
      // The agent may have taken away the right to enter a directory, or made a tree too deep to delete by its path.
      if (isDirectory) await chmod(path, 0o700);
      await this.trash.discard(path);
    }
  }
}
