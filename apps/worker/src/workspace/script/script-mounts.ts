import { INSIDE, type SandboxPaths } from '../../sandbox';

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
  lockFile?: string;
}

const SNAPSHOT = '/snapshot';
const SOURCE = '/source';

/** The variables by which a script finds its mounts. */
export const MOUNT_VARIABLES = { W: INSIDE.workspace, S: SNAPSHOT, C: INSIDE.config, O: INSIDE.objects, X: SOURCE };

export function sandboxPathsOf(mounts: ScriptMounts): SandboxPaths {
  const readOnly: [string, string][] = mounts.source ? [[mounts.source, SOURCE]] : [];
  const readWrite: [string, string][] = [];
  if (mounts.snapshot) (mounts.snapshotReadOnly ? readOnly : readWrite).push([mounts.snapshot, SNAPSHOT]);
  const { workspace, workspaceReadOnly, config, configReadOnly, objects, lockFile } = mounts;
  return {
    workspace,
    workspaceReadOnly,
    config,
    configReadOnly,
    objects,
    lockFile,
    extraReadOnly: readOnly,
    extraReadWrite: readWrite,
  };
}
