import {
  PersonaTextRepository,
  ProjectPersonaRepository,
  ProjectRefreshRepository,
  PurgeRepository,
  ProjectRepository,
  SessionRepository,
  SessionToRunRepository,
  SharedWorkspacePointerRepository,
  SharedWorkspaceRepository,
  StatePointerRepository,
  WorkerRepository,
  type WorkerLife,
} from '@chirality/database';
import type { Config, Logger } from '@chirality/platform';
import { AheadRoom } from '../ahead/ahead-room';
import { AheadStarter } from '../ahead/ahead-starter';
import { availableBytes } from '../ahead/available-memory';
import { WaitingProcesses } from '../ahead/waiting-processes';
import type { ModelUpstreams } from '../gateway/upstream/model-upstreams';
import { InstructionRoot } from '../instruction/instruction-root';
import { branchLister } from '../jobs/list-branches';
import type { LeaseThread } from '../lease';
import { PersonaPrompts } from '../persona/persona-prompts';
import { PromptAssembler } from '../prompt/prompt-assembler';
import { createNetwork } from './create-network';
import { createPreparation } from './create-preparation';
import { createPooling, createStarter } from './create-processes';
import { createPullRequests } from './create-pull-requests';
import { createRemotes } from './create-remotes';
import { createSandboxing } from './create-sandboxing';
import { pointersById } from '../state/record/pointers-by-id';
import { createSessionDisk } from './create-session-disk';
import { createProjectRefreshes } from './create-project-refreshes';
import { createSourceFetches } from './create-source-fetches';
import { createStorage } from './create-storage';
import { createTurns } from './create-turns';
import { agreedBundles, sessionDirectory } from './disk-directory';
import { slotsFor } from './slots';

/** Makes the worker's parts; nothing is started, nothing is taken. `lease` answers the thread once it runs. */
export function composeWorker(
  config: Config,
  self: WorkerLife,
  upstreams: ModelUpstreams,
  log: Logger,
  lease: () => LeaseThread | null,
) {
  const slots = slotsFor(config.workerSlots);
  const storage = createStorage(config, log);
  const { database, messaging, eventLog, blobs } = storage;
  const sandboxing = createSandboxing(config, log);
  const { sandbox, sandboxWatch } = sandboxing;
  const network = createNetwork(config, storage, upstreams, log);
  const remoting = createRemotes(config, storage, sandboxing, network, log);
  const pooling = createPooling(config, self, slots, storage, log, lease);
  const { pool, parked } = pooling;

  const projects = new ProjectRepository(database);
  const prompts = new PromptAssembler(new InstructionRoot(), new PersonaPrompts(new PersonaTextRepository(database)));
  const worker = createSessionDisk({
    workerId: self.id,
    dataDir: config.dataDir,
    allowedRoots: config.allowedRoots,
    sandbox,
    blobs,
    sharedActs: new SharedWorkspaceRepository(database),
    pointers: pointersById(new StatePointerRepository(database), new SharedWorkspacePointerRepository(database)),
    bundles: agreedBundles(projects, new ProjectRefreshRepository(database)),
    sessions: sessionDirectory(new SessionRepository(database, eventLog), projects),
    purges: new PurgeRepository(database),
    personaScans: new ProjectPersonaRepository(database),
    prompts,
    remotes: remoting.remotes,
    listBranches: branchLister(remoting.remotes, remoting.accounts),
    log,
    endParked: (sessionId) => pool.evict(sessionId),
  });

  const starter = createStarter(storage, sandboxing, network, pooling, worker);
  const preparation = createPreparation(config, storage, sandboxing, network, pooling, worker, prompts, log);
  const { acts: pullRequestActs, jobs: pullRequests } = createPullRequests(config, storage, network, remoting, log);
  const running = { sandboxing, network, pooling, worker, preparation, starter, pullRequestActs };
  const { turns, forbidden, files, scheduler } = createTurns({ config, self, slots, storage, ...running, log });
  const room = new AheadRoom(config.parkedMs > 0, sandboxWatch, pool, scheduler);
  const ahead = new AheadStarter(room, pool, new SessionToRunRepository(database), preparation, starter, log);
  const waiting = new WaitingProcesses({ workerId: self.id, pool, ahead, parked, messaging, availableBytes, log });
  const sources = createSourceFetches(self, storage, sandboxing, remoting, worker, log);
  const refreshes = createProjectRefreshes(self, storage, sandboxing, remoting, worker, log);

  return {
    ...{ database, messaging, eventLog },
    ...sandboxing,
    ...network,
    workers: new WorkerRepository(database),
    pool,
    worker,
    turns,
    forbidden,
    files,
    scheduler,
    slots,
    waiting,
    sources,
    refreshes,
    pullRequests,
  };
}
