import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A prompt's name among them. */
export function promptHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The prompts that processes of this worker are started with, each in a file named by its content, so a waiting process
 * and a new one share it. What an earlier life of the worker left is removed before the first is written.
 */
export class PromptFiles {
  private readonly kept = new Set<string>();
  private emptied: Promise<void> | null = null;

  /** `root`: used by no other process. */
  constructor(private readonly root: string) {}

  /** The path of a file with this text, whole from the moment it is there. */
  async keep(text: string): Promise<string> {
    const hash = promptHash(text);
    const path = join(this.root, `${hash}.md`);
    if (!this.kept.has(hash)) {
      await (this.emptied ??= this.empty());
      const aside = `${path}.${randomBytes(6).toString('hex')}`;
      await writeFile(aside, text, { mode: 0o600 });
      await rename(aside, path);
      this.kept.add(hash);
    }
    return path;
  }

  private async empty(): Promise<void> {
    try {
      await rm(this.root, { recursive: true, force: true });
      await mkdir(this.root, { recursive: true, mode: 0o700 });
    } catch (error) {
      this.emptied = null;
      throw error;
    }
  }
}
