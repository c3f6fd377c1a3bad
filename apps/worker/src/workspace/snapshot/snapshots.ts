import type { ScriptRunner } from '../script/script-runner';
import { NO_CHANGES, parseFileChanges, type FileChanges } from './file-changes';
import { COMPARE_FILES, TAKE_SNAPSHOT } from './snapshot-scripts';

/** Host directories of one workspace and of the worker's view of it. */
export interface WorkspaceDirectories {
  workspace: string;
  snapshot: string;
  objects: string;
}

const OUTPUT_LIMIT_BYTES = 1024 * 1024;
const LIMITS = { files: 500, patchBytes: 128 * 1024 };

/**
 * Tells which files of a workspace changed between two moments, whatever was committed, reset or lost in between.
 * Ignored files and new files over 32 MiB are not looked at.
 */
export class Snapshots {
  constructor(private readonly scripts: ScriptRunner) {}

  /**
   * The tree of the files as they are now, and how it differs from `since`. Also removes the lock files of a git that
   * was killed. Call only when no process of the session works in the workspace.
   */
  async compare(view: WorkspaceDirectories & { lockFile?: string }, since: string, timeoutMs: number): Promise<{ tree: string; changes: FileChanges }> {
    const { workspace, snapshot, objects, lockFile } = view;
    const mounts = { workspace, snapshot, objects, lockFile };
    const args = [since, String(OUTPUT_LIMIT_BYTES)];
    const { stdout, truncated } = await this.scripts.run({ text: COMPARE_FILES, args, mounts, timeoutMs, maxOutputBytes: OUTPUT_LIMIT_BYTES + 64 });
    const line = stdout.indexOf('\n');
    const difference = stdout.subarray(line + 1);
    const outputCut = truncated || difference.length >= OUTPUT_LIMIT_BYTES;
    const changes = difference.length === 0 ? NO_CHANGES : parseFileChanges(difference, { ...LIMITS, outputCut });
    return { tree: stdout.toString('utf8', 0, line), changes };
  }

  /** The tree of the files as they are now; clears git's locks like `compare`. */
  async take({ workspace, snapshot, objects }: WorkspaceDirectories, timeoutMs: number): Promise<string> {
    const { stdout } = await this.scripts.run({ text: TAKE_SNAPSHOT, mounts: { workspace, snapshot, objects }, timeoutMs, maxOutputBytes: 1_024 });
    return stdout.toString('utf8').trim();
  }
}
