import { ProjectRefreshRepository, type WorkerLife } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import { ProjectRefreshes } from '../project/project-refreshes';
import { RemoteRefresh } from '../workspace/remote/remote-refresh';
import { ScriptRunner } from '../workspace/script/script-runner';
import type { Remotes } from './create-remotes';
import type { Sandboxing } from './create-sandboxing';
import type { WorkerDisk } from './create-session-disk';
import type { Storage } from './create-storage';

/** What asks the remotes of projects for newer commits. */
export function createProjectRefreshes(
  self: WorkerLife,
  { database, blobs }: Storage,
  { sandbox, sandboxWatch }: Sandboxing,
  { remotes, submodules }: Remotes,
  { projects, personas }: WorkerDisk,
  log: Logger,
): ProjectRefreshes {
  return new ProjectRefreshes({
    worker: self,
    refreshes: new ProjectRefreshRepository(database),
    remote: new RemoteRefresh({ remotes, submodules, scripts: new ScriptRunner(sandbox), projects, blobs }),
    projects,
    personas,
    blobs,
    sandbox: sandboxWatch,
    log,
  });
}
