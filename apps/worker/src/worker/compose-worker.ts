import { join } from 'node:path';
import {
  AuditRepository,
  BudgetSpendingRepository,
  createDatabase,
  EgressLogRepository,
  EventLogWriter,
  ModelKeyRepository,
  ParkedProcessRepository,
  PermissionRepository,
  PersonaTextRepository,
  PolicyRepository,
  PresenceRepository,
  PriceRepository,
  ProjectFetchRepository,
  ProjectPersonaRepository,
  ProjectRepository,
  ProjectVariableRepository,
  SessionRepository,
  SessionStateRepository,
  StatePointerRepository,
  ToolCallRepository,
  TurnRepository,
  UsageRepository,
  WorkerProcessRepository,
  WorkerRepository,
  type WorkerLife,
} from '@chirality/database';
import { createMessaging } from '@chirality/messaging';
import { createBlobStore, metrics, SecretBox, type Config, type Logger } from '@chirality/platform';
import { EgressGateway, networkWithHosts, PUBLIC_NETWORK } from '../egress';
import { spillLargePayloads } from '../event/spill-large-payloads';
import { ModelGateway } from '../gateway';
import type { Backlog } from '../harness/harness';
import { Harnesses } from '../harness/harnesses';
import { InstructionRoot } from '../instruction/instruction-root';
import { AccountFinder } from '../key/account-finder';
import { RequestFunding } from '../key/request-funding';
import { TurnPaymaster } from '../key/turn-paymaster';
import { LEASE_GIVE_UP_MS, type LeaseThread } from '../lease';
import { PersonaPrompts } from '../persona/persona-prompts';
import { AheadStarter } from '../process/ahead-starter';
import { ProjectSetup } from '../turn/project-setup';
import { SourceFetches } from '../project/source-fetches';
import { ProjectVariables } from '../project/project-variables';
import { waitingOrigin } from '../process/live-process';
import { ProcessPool } from '../process/process-pool';
import { ProcessStarter } from '../process/process-starter';
import { residentBytesBelow } from '../process/resident-bytes';
import { PromptAssembler } from '../prompt/prompt-assembler';
import { PromptFiles } from '../prompt/prompt-files';
import { createSandbox } from '../sandbox';
import { createSessionDisk } from './create-session-disk';
import { createTurnServices } from '../turn/create-turn-services';
import type { TurnUsageBinding } from '../key/turn-costs';
import { BootExecution } from '../turn/boot-execution';
import { TurnExecution } from '../turn/turn-execution';
import { TURN_LIMITS } from '../turn/turn-limits';
import { TurnPreparer } from '../turn/turn-preparer';
import { TurnScheduler } from '../turn/turn-scheduler';
import { TurnSettler } from '../turn/turn-settler';
import { TurnUsageSink } from '../turn/turn-usage-sink';
import type { ModelUpstreams } from '../gateway/model-upstreams';
import { GitTransport, TRANSPORT_LIMITS } from '../workspace/project/git-transport';
import { UploadUnpacker } from '../workspace/project/upload-unpacker';
import { ScriptRunner } from '../workspace/script/script-runner';
import { agreedBundles, sessionDirectory } from './disk-directory';
import { PriceTable } from './price-table';
import { ProcessBook } from './process-book';
import { SandboxWatch } from './sandbox-watch';
import { slotsFor } from './slots';
import { availableBytes, MEMORY_RESERVE_BYTES, WaitingProcesses } from './waiting-processes';

/** Unwritten events above which nothing more is read from the processes, and below which reading resumes. */
const BACKLOG_BYTES = { full: 8 * 1024 * 1024, drained: 2 * 1024 * 1024 };
const SETUP_MS = 10 * 60_000;
/** What one more process takes. */
const PROCESS_BYTES = 300 * 1024 * 1024;
const PARKED_LIMITS = { maxTurns: 50, maxResidentBytes: 600 * 1024 * 1024 };

/** Makes the worker's parts; nothing is started, nothing is taken. `lease` answers the thread once it runs. */
export function composeWorker(
  config: Config,
  self: WorkerLife,
  upstreams: ModelUpstreams,
  log: Logger,
  lease: () => LeaseThread | null,
) {
  const workerId = self.id;
  const onIdleError = (error: Error) => log.debug({ err: error }, 'database.connection_lost');
  // Longer than that nothing of this worker outlives its database anyway.
  const database = createDatabase({ url: config.databaseUrl, patienceMs: LEASE_GIVE_UP_MS, onIdleError });
  const messaging = createMessaging({
    redisUrl: config.redisUrl,
    onError: (error) => log.debug({ err: error }, 'redis.error'),
  });
  const blobs = createBlobStore(config.blobUrl);
  const eventLog = new EventLogWriter({
    pool: database.eventPool,
    onCommitted: messaging.publishCommitted,
    spill: spillLargePayloads(blobs),
  });
  const turns = new TurnRepository(database, eventLog);
  const ledger = new ToolCallRepository(database);
  const usage = new UsageRepository(database);
  const processes = new WorkerProcessRepository(database);
  const prices = new PriceTable(new PriceRepository(database));
  const sessionState = new SessionStateRepository(database);
  const projects = new ProjectRepository(database);

  const sandbox = createSandbox({
    mode: config.sandbox,
    production: config.production,
    runDir: config.runDir,
    filesDir: join(config.dataDir, 'sandbox'),
    searchPath: config.searchPath,
    claudePath: config.claudePath,
  });
  const sandboxWatch = new SandboxWatch(sandbox, log);
  const harnesses = new Harnesses(sandbox);
  const secrets = new SecretBox(config.secretKey, config.previousSecretKeys);
  const keys = new ModelKeyRepository(database);
  const accounts = new AccountFinder(keys, secrets, upstreams);
  const gateway = new ModelGateway<TurnUsageBinding>({
    paymaster: new TurnPaymaster(
      accounts,
      keys,
      new RequestFunding(new BudgetSpendingRepository(database), log),
      prices.current,
      log,
    ),
    runDir: config.runDir,
    onUsage: new TurnUsageSink(usage, prices.current),
    log,
  });

  const network = config.testHosts ? networkWithHosts(config.testHosts) : PUBLIC_NETWORK;
  const egressLog = new EgressLogRepository(database);
  const egress = new EgressGateway({ runDir: config.runDir, network, sink: egressLog, log });
  // What is fetched for a project is fetched in no turn, and the table has turns.
  const transportEgress = new EgressGateway({
    runDir: config.runDir,
    network,
    sink: { add: async () => undefined },
    log,
  });

  const parked = new ParkedProcessRepository(database);
  const book = new ProcessBook({ self, parkedMs: config.parkedMs, processes, parked, eventLog, lease });
  const slots = slotsFor(config.workerSlots);
  const pool = new ProcessPool(
    { parkedMs: config.parkedMs, maxParked: slots, ...PARKED_LIMITS },
    {
      onKept: (live) => book.keep(live),
      onExit: (live, exit) => {
        book.unregister(live);
        book.recordExit(live, exit);
      },
      onRetuned: (changes) => {
        for (const what of Object.keys(changes)) metrics.processesRetuned.inc({ what });
      },
      onEnd: (reason, live) => {
        metrics.waitingProcessesEnded.inc({ reason, process: waitingOrigin(live) });
        book.recordEnd(live, reason);
      },
      residentBytes: residentBytesBelow,
    },
    log,
  );
  const prompts = new PromptAssembler(new InstructionRoot(), new PersonaPrompts(new PersonaTextRepository(database)));
  const worker = createSessionDisk({
    workerId,
    dataDir: config.dataDir,
    allowedRoots: config.allowedRoots,
    sandbox,
    blobs,
    pointers: new StatePointerRepository(database),
    bundles: agreedBundles(projects),
    sessions: sessionDirectory(new SessionRepository(database, eventLog), projects),
    personaScans: new ProjectPersonaRepository(database),
    prompts,
    log,
    endParked: (sessionId) => pool.evict(sessionId),
  });

  const backlog: Backlog = {
    isFull: () => eventLog.pendingBytes() > BACKLOG_BYTES.full,
    whenDrained: () => eventLog.whenBelow(BACKLOG_BYTES.drained),
  };
  const starter = new ProcessStarter(
    sandbox,
    gateway,
    egress,
    pool,
    backlog,
    {
      registered: (live) => book.register(live),
      unregistered: (live) => book.unregister(live),
      clearConfig: (directory, kept) => worker.config.clear(directory, kept),
    },
    harnesses,
  );
  const preparer = new TurnPreparer(
    worker.disk,
    prompts,
    secrets,
    ledger,
    blobs,
    new PromptFiles(join(config.dataDir, 'prompts')),
    harnesses,
    sandbox,
    log,
  );
  const variables = new ProjectVariables(new ProjectVariableRepository(database), secrets);
  const hurry = new AbortController();
  const services = createTurnServices({
    workerId,
    log,
    rawLogRoot: join(config.dataDir, 'raw'),
    blobs,
    backlog,
    eventLog,
    ledger,
    permissions: new PermissionRepository(database, eventLog),
    presence: new PresenceRepository(database),
    policy: new PolicyRepository(database),
    audit: new AuditRepository(database),
    preparer,
    accounts,
    egressLog,
    variables,
    setup: new ProjectSetup(
      sandbox,
      egress,
      (sessionId) => pool.evict(sessionId),
      config.testLimits['setupMs'] ?? SETUP_MS,
      log,
    ),
    starter,
    pool,
    settler: new TurnSettler(turns, sessionState, usage, log),
    disk: worker.disk,
    limits: { ...TURN_LIMITS, ...config.testLimits },
    parking: config.parkedMs > 0,
    onSandboxFailure: () => void sandboxWatch.look(),
    hurry: hurry.signal,
  });
  const scheduler = new TurnScheduler(
    { slots },
    async () => (sandboxWatch.isProven ? turns.claimNextTurn(self) : null),
    (claimed, onRestChanged) =>
      claimed.kind === 'boot'
        ? new BootExecution(claimed, services)
        : new TurnExecution(claimed, services, onRestChanged),
    (turnId) => turns.failBrokenTurn({ turnId, workerId }),
    log,
    (turnId) => void messaging.turns.wakeAll(turnId),
  );
  const ahead = new AheadStarter(
    {
      hasRoom: () =>
        config.parkedMs > 0 &&
        sandboxWatch.isProven &&
        pool.hasRoom &&
        scheduler.hasFreeSlot() &&
        availableBytes() >= MEMORY_RESERVE_BYTES + PROCESS_BYTES,
      hasProcess: (sessionId) => pool.has(sessionId),
      find: ({ sessionId, userId, options, persona }) =>
        parked.findSessionToRun(sessionId, userId, { options, persona }),
      whileIdle: async (session, start) => {
        const {
          sessionId: id,
          teamId,
          author,
          project,
          session: { workspace, claudeSessionId },
        } = session;
        // The first turn sets the files up, which no process may have open.
        if (project.setupScript !== null && claudeSessionId === null) return null;
        const { paidBy, keyId } = await accounts.accountOf({ teamId, userId: author.userId, name: author.name });
        const opened = project.hasVariables ? await variables.open(project.id) : null;
        return worker.disk.whileIdle(
          { session: { id, projectId: project.id, workspace, claudeSessionId }, project },
          async (disk) =>
            start({ ...(await preparer.prepareAhead(session, disk, opened)), account: { paidBy, keyId } }),
        );
      },
      start: (session, prepared) => starter.startAhead(session, prepared),
      onOutcome: (outcome) => metrics.processesStartedAhead.inc({ outcome }),
    },
    log,
  );
  const sources = new SourceFetches({
    worker: self,
    fetches: new ProjectFetchRepository(database),
    transport: new GitTransport({
      sandbox,
      egress: transportEgress,
      limits: { timeoutMs: config.testLimits['fetchMs'] ?? TRANSPORT_LIMITS.timeoutMs },
      caFile: config.testAuthorities,
    }),
    uploads: new UploadUnpacker(new ScriptRunner(sandbox), blobs),
    projects: worker.projects,
    blobs,
    mayFetch: () => sandboxWatch.isProven,
    log,
  });
  const waiting = new WaitingProcesses({ workerId, pool, ahead, parked, messaging, availableBytes, log });
  return {
    database,
    messaging,
    eventLog,
    turns,
    workers: new WorkerRepository(database),
    prices,
    sandbox,
    sandboxWatch,
    harnesses,
    gateway,
    egress,
    pool,
    worker,
    scheduler,
    slots,
    hurry,
    waiting,
    sources,
    transportEgress,
  };
}
