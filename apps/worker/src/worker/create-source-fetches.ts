import { ProjectFetchRepository, type WorkerLife } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import { SourceFetches } from '../project/source-fetches';
import { UploadUnpacker } from '../workspace/project/upload-unpacker';
import { ScriptRunner } from '../workspace/script/script-runner';
import type { Remotes } from './create-remotes';
import type { Sandboxing } from './create-sandboxing';
import type { WorkerDisk } from './create-session-disk';
import type { Storage } from './create-storage';

/** What fetches the files of projects that come over the network. */
export function createSourceFetches(
  self: WorkerLife,
  { database, blobs }: Storage,
  { sandbox, sandboxWatch }: Sandboxing,
  { remotes, submodules }: Remotes,
  { projects, ahead }: WorkerDisk,
  log: Logger,
): SourceFetches {
  return new SourceFetches({
    worker: self,
    fetches: new ProjectFetchRepository(database),
    remotes,
    submodules,
    uploads: new UploadUnpacker(new ScriptRunner(sandbox), blobs),
    projects,
    ahead,
    blobs,
    sandbox: sandboxWatch,
    log,
  });
}
