import type { HarnessName, Worker } from '@chirality/contracts';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { WorkerRow } from '../generated/rows';
import { LEASE_TTL_MS, SILENT_AFTER_MS, type WorkerLife } from './lease';
import { putWorker, selectForWorkspace, selectReadiness, selectWorkers } from './worker.sql';

interface WorkerRegistration extends WorkerLife {
  machine: string;
  pid: number;
  slots: number;
  sandbox: Worker['sandbox'];
  sandboxDetail: string | null;
  claudeVersion: string | null;
  /** Installed there: turns of sessions that name another one are left to others. */
  harnesses: readonly HarnessName[];
}

interface Readiness {
  workers: number;
  sandboxed: number;
  sandbox: Worker['sandbox'];
  detail: string | null;
  /**
   * Whole seconds since the one with a sandbox that was heard from last said anything, where that is too long; else
   * null.
   */
  silentSeconds: number | null;
  /** Those that a turn could have, of workers with a proven sandbox. */
  harnesses: HarnessName[];
}

export class WorkerRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /**
   * Starts a life of that worker: what an earlier life under the same id took, or takes later, belongs to no worker
   * from this moment, and the reconciler settles it as lost.
   */
  async register(worker: WorkerRegistration, ttlMs = LEASE_TTL_MS): Promise<void> {
    const { sandboxDetail, claudeVersion, ...same } = worker;
    await putWorker(
      this.database.pool,
      {
        ...same,
        sandbox_detail: sandboxDetail === null ? null : storableText(sandboxDetail),
        claude_version: claudeVersion,
      },
      ttlMs,
    );
  }

  async reportSandbox(workerId: string, sandbox: Worker['sandbox'], detail: string | null): Promise<void> {
    await this.database.prisma.worker.updateMany({
      where: { id: workerId },
      data: { sandbox, sandboxDetail: detail === null ? null : storableText(detail) },
    });
  }

  async reportHarnesses(
    workerId: string,
    { harnesses, claudeVersion }: Pick<WorkerRegistration, 'harnesses' | 'claudeVersion'>,
  ): Promise<void> {
    await this.database.prisma.worker.updateMany({
      where: { id: workerId },
      data: { harnesses: [...harnesses], claudeVersion },
    });
  }

  /** It claims nothing from now on. */
  async markDraining(workerId: string): Promise<void> {
    await this.database.prisma.worker.updateMany({ where: { id: workerId }, data: { draining: true } });
  }

  /** Workers with a good lease whose processes are on that machine. */
  async listLiveOn(machine: string): Promise<Pick<WorkerRow, 'id' | 'pid'>[]> {
    const { rows } = await this.database.pool.query<Pick<WorkerRow, 'id' | 'pid'>>(
      'SELECT id, pid FROM worker WHERE machine = $1 AND stopped_at IS NULL AND lease_expires_at > now()',
      [machine],
    );
    return rows;
  }

  /**
   * Ends the lease of a worker whose process is known to be gone; its turns are settled at the next tick. False when it
   * was given up already, or has started again since as another process.
   */
  async giveUp(workerId: string, process: { machine: string; pid: number }): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      'UPDATE worker SET lease_expires_at = now() WHERE id = $1 AND machine = $2 AND pid = $3 AND stopped_at IS NULL AND lease_expires_at > now()',
      [workerId, process.machine, process.pid],
    );
    return rowCount === 1;
  }

  /** It has shut down. What it still had is settled as lost at the next tick. */
  async markStopped(workerId: string): Promise<void> {
    await this.database.pool.query(
      'UPDATE worker SET stopped_at = now(), draining = true WHERE id = $1 AND stopped_at IS NULL',
      [workerId],
    );
  }

  /** Workers with a good lease, and those that were seen within the last hour. Longest running first. */
  async list({ testedVersion }: { testedVersion: string }): Promise<Worker[]> {
    const rows = await selectWorkers(this.database.pool);
    return rows.map((row) => ({
      id: row.id,
      status: statusOf(row),
      slots: row.slots,
      running: row.running,
      claudeVersion: row.claude_version,
      harnesses: row.harnesses,
      testedVersion,
      sandbox: row.sandbox,
      sandboxDetail: row.sandbox_detail,
      startedAt: row.started_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
    }));
  }

  /**
   * Whether turns can run at all: is a worker there, has one a sandbox that was proven, or none because it was asked
   * for, and which harnesses are there.
   */
  async findReadiness(): Promise<Readiness> {
    const row = await selectReadiness(this.database.pool);
    const silentSeconds = row?.silent_seconds ?? 0;
    return {
      workers: row?.workers ?? 0,
      sandboxed: row?.sandboxed ?? 0,
      sandbox: row?.sandbox ?? 'unavailable',
      detail: row?.detail ?? null,
      silentSeconds: silentSeconds * 1_000 > SILENT_AFTER_MS ? Math.floor(silentSeconds) : null,
      harnesses: row?.harnesses ?? [],
    };
  }

  /**
   * The live worker to ask about a session's files: the one that runs its turn, else its holder, else any; with null
   * any. One that was not heard from lately comes last: it may be dead, and another can look at what is stored.
   */
  async findForWorkspace(sessionId: string | null): Promise<string | null> {
    const row = await selectForWorkspace(this.database.pool, sessionId);
    return row?.id ?? null;
  }

  /** Which life of that worker lives; null where none does. A worker that starts again has another one. */
  async findLife(workerId: string): Promise<string | null> {
    const { rows } = await this.database.pool.query<{ life: string }>(
      `SELECT coalesce(life, '') AS life FROM worker w WHERE w.id = $1 AND w.stopped_at IS NULL
         AND w.lease_expires_at > now()`,
      [workerId],
    );
    return rows[0]?.life ?? null;
  }
}

function statusOf(row: Pick<WorkerRow, 'draining' | 'sandbox'> & { live: boolean }): Worker['status'] {
  if (!row.live) return 'gone';
  if (row.draining) return 'draining';
  return row.sandbox === 'unavailable' ? 'sandbox_unavailable' : 'ready';
}
