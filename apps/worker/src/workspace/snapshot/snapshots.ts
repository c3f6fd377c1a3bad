import type { ScriptRunner } from '../script/script-runner';
import { ProblemError } from '@chirality/platform';
import { ChangesReader, type FileChanges } from './file-changes';
import { COMPARE_FILES, TAKE_SNAPSHOT } from './snapshot-scripts';

/** Host directories of one workspace and of the worker's view of it. */
export interface WorkspaceDirectories {
  workspace: string;
  snapshot: string;
  objects: string;
}

const LIMITS = { files: 500, nameBytes: 128 * 1024, patchBytes: 128 * 1024, filePatchBytes: 32 * 1024 };
const TREE_HEADER_BYTES = 41;

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
  async compare(
    view: WorkspaceDirectories & { lockFile?: string | undefined },
    since: string,
    timeoutMs: number,
  ): Promise<{ tree: string; changes: FileChanges }> {
    const { workspace, snapshot, objects, lockFile } = view;
    const mounts = { workspace, snapshot, objects, lockFile };
    const reader = new ChangesReader(LIMITS);
    let head = Buffer.alloc(0);
    const look = (chunk: Buffer): boolean => {
      if (head.length >= TREE_HEADER_BYTES) return reader.push(chunk);
      head = Buffer.concat([head, chunk]);
      return head.length > TREE_HEADER_BYTES && reader.push(head.subarray(TREE_HEADER_BYTES));
    };
    const { complete } = await this.scripts.scan({ text: COMPARE_FILES, args: [since], mounts, timeoutMs }, look);
    if (head.length < TREE_HEADER_BYTES)
      throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The workspace did not answer in time. Try again.');
    return { tree: head.toString('utf8', 0, TREE_HEADER_BYTES - 1), changes: reader.finish(complete) };
  }

  /** The tree of the files as they are now; clears git's locks like `compare`. */
  async take({ workspace, snapshot, objects }: WorkspaceDirectories, timeoutMs: number): Promise<string> {
    const { stdout } = await this.scripts.run({
      text: TAKE_SNAPSHOT,
      mounts: { workspace, snapshot, objects },
      timeoutMs,
      maxOutputBytes: 1_024,
    });
    return stdout.toString('utf8').trim();
  }
}
