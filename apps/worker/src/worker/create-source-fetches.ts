import { ProjectFetchRepository, type WorkerLife } from '@chirality/database';
import type { Config, Logger } from '@chirality/platform';
import { SourceFetches } from '../project/source-fetches';
import { GitTransport, TRANSPORT_LIMITS } from '../workspace/project/git-transport';
import { UploadUnpacker } from '../workspace/project/upload-unpacker';
import { ScriptRunner } from '../workspace/script/script-runner';
import type { Network } from './create-network';
import type { Sandboxing } from './create-sandboxing';
import type { WorkerDisk } from './create-session-disk';
import type { Storage } from './create-storage';

/** What fetches the files of projects that come over the network. */
export function createSourceFetches(
  config: Config,
  self: WorkerLife,
  { database, blobs }: Storage,
  { sandbox, sandboxWatch }: Sandboxing,
  { transportEgress }: Network,
  { projects }: WorkerDisk,
  log: Logger,
): SourceFetches {
  return new SourceFetches({
    worker: self,
    fetches: new ProjectFetchRepository(database),
    transport: new GitTransport({
      sandbox,
      egress: transportEgress,
      limits: { timeoutMs: config.testLimits['fetchMs'] ?? TRANSPORT_LIMITS.timeoutMs },
      caFile: config.testAuthorities,
    }),
    uploads: new UploadUnpacker(new ScriptRunner(sandbox), blobs),
    projects,
    blobs,
    sandbox: sandboxWatch,
    log,
  });
}
