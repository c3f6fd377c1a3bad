import type { ScriptRunner } from '../script/script-runner';
import type { WorkspaceDirectories } from '../snapshot/snapshots';

/** What an act works on: one workspace of this worker's disk, and the time that is left. */
export interface ActContext {
  scripts: ScriptRunner;
  workspace: WorkspaceDirectories & { baseCommit: string; lockFile: string };
  timeoutMs: number;
}
