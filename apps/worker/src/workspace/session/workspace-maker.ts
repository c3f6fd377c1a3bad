import type { Readable } from 'node:stream';
import { PACK_LIMIT_BYTES } from '../script/archive-script';
import type { Script, ScriptRunner } from '../script/script-runner';
import type { WorkspaceDirectories } from '../snapshot/snapshots';
import { CREATE_WORKSPACE, PACK_WORKSPACE, RENAME_BRANCH, RESTORE_WORKSPACE } from './workspace-scripts';

const CREATE_TIMEOUT_MS = 120_000;
const TRANSFER_TIMEOUT_MS = 300_000;

/**
 * Makes, packs and rebuilds the files of one workspace. The directories given must exist and, to make or rebuild, be
 * empty.
 */
export class WorkspaceMaker {
  constructor(private readonly scripts: ScriptRunner) {}

  /** A new workspace on a new branch at a commit of the project. Returns the tree of its files. */
  async create(directories: WorkspaceDirectories, baseCommit: string, branch: string): Promise<string> {
    const { stdout } = await this.scripts.run({
      ...script(CREATE_WORKSPACE, directories, [branch, baseCommit], CREATE_TIMEOUT_MS),
      maxOutputBytes: 4_096,
    });
    return stdout.toString('utf8').trim();
  }

  /** Of a workspace that `create` made and in which nothing happened since. */
  async renameBranch(directories: WorkspaceDirectories, from: string, to: string): Promise<void> {
    await this.scripts.run({
      ...script(RENAME_BRANCH, directories, [from, to], CREATE_TIMEOUT_MS),
      maxOutputBytes: 4_096,
    });
  }

  /**
   * Hands the packed workspace to `consume`. Throws ScriptFailure with SCRIPT_EXIT.tooLarge when it exceeds the limit.
   */
  async pack<T>(
    directories: WorkspaceDirectories,
    baseCommit: string,
    consume: (packed: Readable) => Promise<T>,
  ): Promise<T> {
    return this.scripts.collect(
      script(PACK_WORKSPACE, directories, [baseCommit, String(PACK_LIMIT_BYTES)], TRANSFER_TIMEOUT_MS),
      consume,
    );
  }

  /**
   * Rebuilds what was packed and returns the tree of the files. The archive is the agent's: only the sandbox unpacks
   * it.
   */
  async restore(directories: WorkspaceDirectories, baseCommit: string, packed: Readable): Promise<string> {
    return this.scripts.feed(script(RESTORE_WORKSPACE, directories, [baseCommit], TRANSFER_TIMEOUT_MS), packed);
  }
}

function script(
  text: string,
  { workspace, snapshot, objects }: WorkspaceDirectories,
  args: string[],
  timeoutMs: number,
): Script {
  return { text, args, mounts: { workspace, snapshot, objects }, timeoutMs };
}
