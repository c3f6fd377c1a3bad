import { SYSTEM, type NewEvent } from '@chirality/contracts';
import { metrics } from '@chirality/platform';
import type { Database, Tx } from '../connection/database';
import type { EventLogWriter } from '../event/event-log-writer';
import type { TurnRow, WorkerRow } from '../generated/rows';
import { settleOrphanedFetches } from '../project/project-fetch.repository';
import { settleOrphanedRefreshes } from '../project/project-refresh.repository';
import { ForbiddenTurnRepository } from '../turn/forbidden-turn.repository';
import { TurnSettlementRepository } from '../turn/turn-settlement.repository';
import { TurnRepository } from '../turn/turn.repository';
import { SeveredWorkers } from '../worker/severed-workers';
import { LEASE_TTL_MS } from '../worker/lease';
import { WorkerProcessRepository, type RegisteredProcess } from '../worker/worker-process.repository';
import { withReconcilerLock } from './reconciler-lock';

/** How often to call `tick`. */
export const RECONCILE_EVERY_MS = 2_000;
/** Without an answer from Postgres for this long, leases may have run out for no fault of their workers. */
const AWAY_AFTER_MS = 15_000;
/** Without one for this long, workers may have lost their connections for no fault of theirs. */
const UNSTEADY_AFTER_MS = 3 * RECONCILE_EVERY_MS;
/** A turn that stays unclaimed or does not get beyond its start for this long may have lost its wake-up. */
const ENQUEUE_AFTER_MS = 2_000;
/** Expired rows count for nothing, so they may lie around for a while. */
const FORGET_EVERY_MS = 60_000;

export interface ReconcilerOptions {
  database: Pick<Database, 'pool'>;
  log: Pick<EventLogWriter, 'append' | 'announce'>;
  /** Wakes workers for a turn, that one above all: `TurnQueue.wake`. */
  enqueue(turnId: string, workerId: string | null): void;
  /** This machine, as its processes are registered. */
  machine: string;
  /** Ends a process of this machine if it still is the one that was registered. */
  killProcess(process: Pick<RegisteredProcess, 'pid' | 'startTime' | 'machine'>): void;
  ttlMs?: number;
  /** See SeveredWorkers. */
  silentAfterMs?: number;
  clock?: () => number;
}

interface ReconcileReport {
  /** Workers that were given up. */
  deadWorkers: string[];
  /** Turns that were settled as lost. */
  lostTurns: string[];
  /** Queued turns whose authors lost their right to them and which the request that took it away did not cancel. */
  forbiddenTurns: string[];
  /** Projects whose fetch or refresh no worker continues. */
  lostFetches: string[];
  enqueued: number;
  killedProcesses: number;
  /** Leases that ran out while Postgres was away and were extended once. */
  extendedLeases: number;
}

type OrphanedTurn = Pick<TurnRow, 'id' | 'session_id' | 'status' | 'attempt' | 'fence'>;

/**
 * Heals what died: any process may run one, and several may run. A crash between any two of its steps is healed by the
 * next tick, because each step looks only at rows.
 */
export class Reconciler {
  private lastAnswerMs: number | null = null;
  private lastForgottenMs = -Infinity;
  private readonly clock: () => number;
  private readonly turns: TurnRepository;
  private readonly settlements: TurnSettlementRepository;
  private readonly forbidden: ForbiddenTurnRepository;
  private readonly processes: WorkerProcessRepository;
  private readonly severed: SeveredWorkers;

  constructor(private readonly options: ReconcilerOptions) {
    this.clock = options.clock ?? (() => performance.now());
    this.severed = new SeveredWorkers(this.clock, options.silentAfterMs);
    this.turns = new TurnRepository(options.database);
    this.settlements = new TurnSettlementRepository(options.database, options.log);
    this.forbidden = new ForbiddenTurnRepository(options.database, options.log);
    this.processes = new WorkerProcessRepository(options.database);
  }

  /**
   * One round. The holder of the lock settles; this machine's processes are swept by every reconciler of the
   * machine. Rejects when Postgres does not answer; call it again later.
   */
  async tick(): Promise<ReconcileReport> {
    const report: ReconcileReport = {
      deadWorkers: [],
      lostTurns: [],
      forbiddenTurns: [],
      lostFetches: [],
      enqueued: 0,
      killedProcesses: 0,
      extendedLeases: 0,
    };
    await withReconcilerLock(this.options.database.pool, async (tx) => {
      report.extendedLeases = await this.extendLeasesAfterOutage(tx);
      report.deadWorkers = await this.giveUpWorkers(tx);
      report.lostTurns = await this.settleOrphanedTurns(tx);
      report.forbiddenTurns = await this.forbidden.cancel();
      report.lostFetches = [...(await settleOrphanedFetches(tx)), ...(await settleOrphanedRefreshes(tx))];
      await this.forgetExpiredRows(tx);
      report.enqueued = await this.enqueueWaitingTurns();
    });
    metrics.turnsLost.inc(report.lostTurns.length);
    report.killedProcesses = await this.sweepProcesses();
    this.lastAnswerMs = this.clock();
    return report;
  }

  /** No worker could renew while Postgres was away: leases that ran out since then are good for one more term. */
  private async extendLeasesAfterOutage(tx: Tx): Promise<number> {
    const silentMs = this.silentMs();
    if (silentMs < AWAY_AFTER_MS) return 0;
    const { rowCount } = await tx.query(
      `UPDATE worker SET lease_expires_at = now() + $1 * interval '1 millisecond'
       WHERE stopped_at IS NULL AND lease_expires_at <= now()
         AND lease_expires_at > now() - $2 * interval '1 millisecond'`,
      [this.options.ttlMs ?? LEASE_TTL_MS, Math.ceil(silentMs)],
    );
    return rowCount ?? 0;
  }

  /** How long Postgres had not answered this reconciler when the round began. */
  private silentMs(): number {
    return this.lastAnswerMs === null ? 0 : this.clock() - this.lastAnswerMs;
  }

  /** From here on such a worker cannot renew, and nothing that it does counts. */
  private async giveUpWorkers(tx: Tx): Promise<string[]> {
    if (this.silentMs() >= UNSTEADY_AFTER_MS) this.severed.reset();
    const severed = await this.severed.giveUp(tx);
    const { rows } = await tx.query<Pick<WorkerRow, 'id'>>(
      'UPDATE worker SET stopped_at = now(), draining = true WHERE stopped_at IS NULL AND lease_expires_at <= now() RETURNING id',
    );
    return [...severed, ...rows.map(({ id }) => id)];
  }

  private async settleOrphanedTurns(tx: Tx): Promise<string[]> {
    const { rows } = await tx.query<OrphanedTurn>(
      `SELECT t.id, t.session_id, t.status, t.attempt, t.fence FROM turn t LEFT JOIN worker w ON w.id = t.worker_id
       WHERE t.active_session_id IS NOT NULL AND t.status <> 'queued'
         AND (w.id IS NULL OR w.stopped_at IS NOT NULL OR t.worker_life IS DISTINCT FROM w.life)`,
    );
    const settled = await Promise.all(rows.map((turn) => this.settleLost(turn)));
    return rows.filter((_, index) => settled[index]).map(({ id }) => id);
  }

  private async settleLost(turn: OrphanedTurn): Promise<boolean> {
    const detail =
      'The worker that ran this turn stopped answering. What it had written is kept; send the message again to continue.';
    const events: NewEvent[] = [
      {
        kind: 'session:error',
        turn: turn.id,
        originator: SYSTEM,
        payload: { code: 'WORKER_LOST', detail, retryable: true },
      },
      {
        kind: 'process:exit',
        turn: turn.id,
        originator: SYSTEM,
        payload: { code: null, signal: null, attempt: turn.attempt, final: true },
      },
    ];
    const result = await this.settlements.settle({
      sessionId: turn.session_id,
      turnId: turn.id,
      from: turn.status,
      cause: 'lose_worker',
      attempt: turn.attempt,
      fence: BigInt(turn.fence),
      fenced: false,
      set: { error: { code: 'WORKER_LOST', detail } },
      events,
    });
    return result.appended;
  }

  private async enqueueWaitingTurns(): Promise<number> {
    const unattended = await this.turns.findUnattendedTurns({ olderThanMs: ENQUEUE_AFTER_MS });
    for (const { turnId, workerId } of unattended) this.options.enqueue(turnId, workerId);
    return unattended.length;
  }

  private async forgetExpiredRows(tx: Tx): Promise<void> {
    if (this.clock() - this.lastForgottenMs < FORGET_EVERY_MS) return;
    this.lastForgottenMs = this.clock();
    await tx.query('DELETE FROM idempotency_key WHERE expires_at <= now()');
    await tx.query('DELETE FROM presence WHERE expires_at <= now()');
    await tx.query('DELETE FROM refresh_family WHERE expires_at <= now()');
    await tx.query('DELETE FROM password_reset WHERE expires_at <= now()');
    await tx.query(
      `DELETE FROM mcp_call c WHERE created_at <= now() - interval '1 day'
         AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.id = c.turn_id AND t.active_session_id IS NOT NULL)`,
    );
    await tx.query("DELETE FROM device_code WHERE expires_at <= now() - interval '1 day'");
  }

  private async sweepProcesses(): Promise<number> {
    const orphans = await this.processes.findOrphans(this.options.machine);
    for (const orphan of orphans) {
      this.options.killProcess(orphan);
      await this.processes.unregister(orphan.id);
    }
    return orphans.length;
  }
}
