import type { ScriptRunner } from '../script/script-runner';
import type { WorkspaceDirectories } from '../snapshot/snapshots';

/** What an act works on: one workspace of this worker's disk, and the time that is left. */
export interface ActContext {
  scripts: ScriptRunner;
  workspace: WorkspaceDirectories & {
    baseCommit: string;
    /** That new sessions of the project start from; the same until the project is refreshed. */
    projectCommit?: string | null;
    lockFile: string;
  };
  timeoutMs: number;
}
