import { INSIDE } from '../../sandbox/inside-paths';
import type { SandboxPaths } from '../../sandbox/sandbox.types';

/** Host paths of what a script may see; only what is named is there. */
export interface ScriptMounts {
  workspace: string;
  workspaceReadOnly?: boolean;
  snapshot?: string;
  snapshotReadOnly?: boolean;
  config?: string;
  configReadOnly?: boolean;
  objects?: string;
  source?: string;
  lockFile?: string | undefined;
}

const SNAPSHOT = '/snapshot';
const SOURCE = '/source';

/** The variables by which a script finds its mounts. */
export const MOUNT_VARIABLES = { W: INSIDE.workspace, S: SNAPSHOT, C: INSIDE.config, O: INSIDE.objects, X: SOURCE };

export function sandboxPathsOf(mounts: ScriptMounts): SandboxPaths {
  const { snapshot, snapshotReadOnly, source, ...paths } = mounts;
  const readOnly: [string, string][] = source ? [[source, SOURCE]] : [];
  const readWrite: [string, string][] = [];
  if (snapshot) (snapshotReadOnly ? readOnly : readWrite).push([snapshot, SNAPSHOT]);
  return { ...paths, extraReadOnly: readOnly, extraReadWrite: readWrite };
}
