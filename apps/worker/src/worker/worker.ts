import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  LEASE_TTL_MS,
  OTHER_SECRET_KEY,
  Reconciler,
  RECONCILE_EVERY_MS,
  SecretKeyCheck,
  type Database,
} from '@chirality/database';
import { assertTransitionTable, TESTED_CLAUDE_VERSION } from '@chirality/domain';
import {
  ConfigError,
  every,
  killProcessIfSame,
  machineIdentity,
  metrics,
  metricsRegistry,
  SecretBox,
  type Config,
  type Logger,
} from '@chirality/platform';
import { removeStaleWorkerSockets } from '../gateway/worker-socket';
import { startLeaseThread, type LeaseThread } from '../lease';
import { isPullRequestJob } from '../pull-request/pull-request-jobs';
import { composeWorker } from './compose-worker';
import { openModelUpstreams } from '../gateway/upstream/model-upstreams';
import { claimWorkerIdentity } from './worker-identity';
import { WorkerSignals } from './worker-signals';

/** How long running turns may continue after the worker was asked to stop, and how long their ends may take then. */
const DRAIN_MS = 30_000;
const INTERRUPT_MS = 15_000;
const TEND_DISK_EVERY_MS = 30_000;
/** A database that is away does not hold up our end: the lease runs out. */
const TELL_LIMIT_MS = 2_000;
const FIGURES_EVERY_MS = 5_000;
/**
 * How long a full worker leaves an unheld turn to others, and how many processes that wait for a message weigh as one
 * turn.
 */
const YIELD_MS = 50;
const WAITING_PROCESSES_PER_TURN = 4;
const LOOK_FOR_HARNESSES_EVERY_MS = 15_000;

export interface RunningWorker {
  /**
   * Takes no more turns, lets running ones end up to a limit, interrupts the rest, and resolves when nothing is left.
   */
  stop(): Promise<void>;
}

/**
 * Starts everything that a worker is. `onLost`: the lease is gone, the processes are ended; this process must end too.
 */
export async function startWorker(
  config: Config,
  log: Logger,
  onLost: (reason: string) => void,
): Promise<RunningWorker> {
  assertTransitionTable();
  const identity = claimWorkerIdentity(config.dataDir);
  const { workerId } = identity;
  await removeStaleWorkerSockets(config.runDir);
  const upstreams = await openModelUpstreams(config, workerId);
  let lease: LeaseThread | null = null;
  const self = { id: workerId, life: randomUUID() };
  const parts = composeWorker(config, self, upstreams, log, () => lease);
  const {
    workers,
    scheduler,
    messaging,
    sandboxWatch,
    harnesses,
    turns,
    eventLog,
    database,
    pool,
    worker,
    gateway,
    egress,
  } = parts;

  await requireSecretKey(database, config);
  // The data directory is ours alone by now, so what runs with its files has no owner.
  const orphans = await parts.sandbox.killOrphans();
  if (orphans.count > 0) log.warn(orphans, 'sandbox.orphans_ended');

  const [{ sandbox, detail }] = await Promise.all([sandboxWatch.probe(), harnesses.look(), parts.prices.load()]);
  const claudeVersion = harnesses.versionOf('claude-code');
  if (claudeVersion !== TESTED_CLAUDE_VERSION)
    log.warn({ found: claudeVersion, tested: TESTED_CLAUDE_VERSION }, 'claude.version_differs');
  lease = await startLeaseThread({
    databaseUrl: config.databaseUrl,
    worker: self,
    onLost: (reason) => {
      for (const turn of scheduler.turns()) turn.abandon();
      onLost(reason);
    },
  });
  const securedAtNs = process.hrtime.bigint();
  await workers.register(
    {
      ...self,
      machine: machineIdentity(),
      pid: process.pid,
      slots: parts.slots,
      sandbox,
      sandboxDetail: detail,
      claudeVersion,
      harnesses: harnesses.installed,
    },
    LEASE_TTL_MS,
  );
  lease.hold(securedAtNs);

  const reconciler = new Reconciler({
    database,
    log: eventLog,
    enqueue: (turnId, holder) => void messaging.turns.wake(turnId, holder),
    machine: machineIdentity(),
    killProcess: (process) => void killProcessIfSame(process),
  });
  const reconcile = () => reconciler.tick().catch((error: Error) => log.debug({ err: error }, 'reconciler.failed'));
  // What an earlier life of this worker left is settled before anything new is taken.
  await reconcile();
  void worker.keeper.tend();
  const repeated = [
    every(RECONCILE_EVERY_MS, reconcile),
    every(TEND_DISK_EVERY_MS, () => worker.keeper.tend()),
    every(FIGURES_EVERY_MS, hangOutFigures),
    every(LOOK_FOR_HARNESSES_EVERY_MS, lookForHarnesses),
  ];
  let told = harnesses.installed.length;
  /** One that did not answer when we started, or was installed since, is offered from then on. */
  async function lookForHarnesses(): Promise<void> {
    await harnesses.look();
    const { installed } = harnesses;
    if (installed.length === told) return;
    try {
      await workers.reportHarnesses(workerId, {
        harnesses: installed,
        claudeVersion: harnesses.versionOf('claude-code'),
      });
      told = installed.length;
      void scheduler.wake();
    } catch (error) {
      log.warn({ err: error }, 'harness.not_reported');
    }
  }
  async function hangOutFigures(): Promise<void> {
    metrics.turnsRunning.set(scheduler.runningCount);
    metrics.processesParked.set(pool.size);
    metrics.eventBufferBytes.set(eventLog.pendingBytes());
    metrics.eventLogAwaySeconds.set(eventLog.awayMs() / 1_000);
    messaging.metrics.publish(workerId, await metricsRegistry.getMetricsAsJSON());
  }
  const signals = new WorkerSignals(workerId, turns, parts.forbidden, messaging, scheduler, log);
  const wakes = messaging.serveTurnWakes(
    async (turnId, isShared) => {
      await scheduler.wake();
      if (!isShared && !scheduler.hasFreeSlot()) await messaging.turns.wakeAll(turnId);
    },
    {
      workerId,
      yieldToOthers: () => yieldByLoad(scheduler.load + pool.size / parts.slots / WAITING_PROCESSES_PER_TURN),
    },
  );
  const acts = messaging.serveWorkspaceJobs(workerId, (job) =>
    isPullRequestJob(job) ? parts.pullRequests.handle(job) : worker.jobs.handle(job),
  );
  signals.start();
  parts.waiting.start();
  parts.sources.start();
  parts.refreshes.start();
  sandboxWatch.watch(workers, workerId, () => void scheduler.wake());
  metrics.workerSlots.set(parts.slots);
  void scheduler.wake();
  log.info(
    { worker: workerId, slots: parts.slots, sandbox, detail, claudeVersion, demo: upstreams.demo !== null },
    'worker.ready',
  );

  async function drain(): Promise<void> {
    const drainMs = config.testLimits['drainMs'] ?? DRAIN_MS;
    parts.files.hurry();
    const drained = scheduler.drain();
    const limit = setTimeout(() => {
      for (const turn of scheduler.turns()) turn.shutDown();
    }, drainMs);
    const giveUp = setTimeout(() => {
      for (const turn of scheduler.turns()) turn.abandon();
    }, drainMs + INTERRUPT_MS);
    await drained;
    clearTimeout(limit);
    clearTimeout(giveUp);
  }

  return {
    stop: async () => {
      log.info({ running: scheduler.runningCount }, 'worker.stopping');
      await tellBriefly(workers.markDraining(workerId));
      sandboxWatch.stop();
      await wakes.close();
      await parts.waiting.stop();
      const given = Promise.all([parts.sources.stop(), parts.refreshes.stop()]);
      await drain();
      await given;
      signals.stop();
      for (const stop of repeated) stop();
      await acts.close();
      await pool.shutDown();
      await worker.close();
      await gateway.close();
      await egress.close();
      await parts.transportEgress.close();
      await eventLog.close();
      // Before the row says so: a renewal of a stopped worker's lease counts as its loss.
      await lease?.stop();
      await tellBriefly(workers.markStopped(workerId));
      await messaging.close();
      await database.close();
      await upstreams.close();
      identity.release();
      log.info('worker.stopped');
    },
  };
}

/** With another key no message could be opened, so every turn that is taken here would fail. */
async function requireSecretKey(database: Database, config: Config): Promise<void> {
  if (config.secretKeyLost) return;
  const check = new SecretKeyCheck(database, new SecretBox(config.secretKey, config.previousSecretKeys));
  if ((await check.verify()) === 'other') throw new ConfigError(OTHER_SECRET_KEY);
}

/** Who has nothing to do looks first. */
async function yieldByLoad(load: number): Promise<void> {
  if (load > 0) await delay(Math.min(load, 1) * YIELD_MS);
}

async function tellBriefly(telling: Promise<unknown>): Promise<void> {
  await Promise.race([telling.catch(() => undefined), delay(TELL_LIMIT_MS)]);
}
