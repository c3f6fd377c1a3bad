import type { HarnessName, Worker } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { livenessLockIsHeld } from './liveness-lock';

export const LEASE_TTL_MS = 30_000;
/** More than two beats of a lease: a worker that was not heard from for this long may be gone, though its lease is good. */
export const SILENT_AFTER_MS = 4_500;

/**
 * One start of a worker. The id stays in its data directory; the life is random and new with every start, so that what an
 * earlier process sent, and what takes effect only now, is never taken for this one's.
 */
export interface WorkerLife {
  id: string;
  life: string;
}

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
  /** Whole seconds since the one with a sandbox that was heard from last said anything, where that is too long; else null. */
  silentSeconds: number | null;
  /** Those that a turn could have, of workers with a proven sandbox. */
  harnesses: HarnessName[];
}

interface WorkerRow {
  id: string;
  slots: number;
  sandbox: Worker['sandbox'];
  sandbox_detail: string | null;
  claude_version: string | null;
  harnesses: HarnessName[];
  draining: boolean;
  started_at: Date;
  last_seen_at: Date;
  live: boolean;
  running: number;
}

const TTL = `$2 * interval '1 millisecond'`;

export class WorkerRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /**
   * Starts a life of that worker: what an earlier life under the same id took, or takes later, belongs to no worker from
   * this moment, and the reconciler settles it as lost.
   */
  async register(worker: WorkerRegistration, ttlMs = LEASE_TTL_MS): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO worker (id, lease_expires_at, machine, pid, slots, sandbox, sandbox_detail, claude_version, harnesses, life, started_at, last_seen_at)
       VALUES ($1, now() + ${TTL}, $3, $4, $5, $6, $7, $8, $9, $10, now(), now())
       ON CONFLICT (id) DO UPDATE SET lease_expires_at = EXCLUDED.lease_expires_at, machine = EXCLUDED.machine, pid = EXCLUDED.pid, slots = EXCLUDED.slots,
         sandbox = EXCLUDED.sandbox, sandbox_detail = EXCLUDED.sandbox_detail, claude_version = EXCLUDED.claude_version, harnesses = EXCLUDED.harnesses,
         life = EXCLUDED.life, started_at = EXCLUDED.started_at, last_seen_at = EXCLUDED.last_seen_at, draining = false, stopped_at = NULL, liveness_key = NULL`,
      [
        worker.id,
        ttlMs,
        worker.machine,
        worker.pid,
        worker.slots,
        worker.sandbox,
        worker.sandboxDetail === null ? null : storableText(worker.sandboxDetail),
        worker.claudeVersion,
        worker.harnesses,
        worker.life,
      ],
    );
  }

  /**
   * False: this life counts as dead, or another one took its place, perhaps one whose registration took effect late; its
   * turns are settled or being settled. It must end its processes and register again.
   * The key is kept only where the server sees its lock held: the worker may not know yet that it is not.
   */
  async renewLease(
    { id, life }: WorkerLife,
    { ttlMs = LEASE_TTL_MS, livenessKey = null }: { ttlMs?: number | undefined; livenessKey?: number | null } = {},
  ): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE worker SET lease_expires_at = now() + ${TTL}, last_seen_at = now(),
         liveness_key = CASE WHEN ${livenessLockIsHeld('$4::int')} THEN $4::int END
       WHERE id = $1 AND life = $3 AND stopped_at IS NULL`,
      [id, ttlMs, life, livenessKey],
    );
    return rowCount === 1;
  }

  async reportSandbox(workerId: string, sandbox: Worker['sandbox'], detail: string | null): Promise<void> {
    await this.database.pool.query('UPDATE worker SET sandbox = $2, sandbox_detail = $3 WHERE id = $1', [
      workerId,
      sandbox,
      detail === null ? null : storableText(detail),
    ]);
  }

  async reportHarnesses(
    workerId: string,
    { harnesses, claudeVersion }: Pick<WorkerRegistration, 'harnesses' | 'claudeVersion'>,
  ): Promise<void> {
    await this.database.pool.query('UPDATE worker SET harnesses = $2, claude_version = $3 WHERE id = $1', [
      workerId,
      harnesses,
      claudeVersion,
    ]);
  }

  /** It claims nothing from now on. */
  async markDraining(workerId: string): Promise<void> {
    await this.database.pool.query('UPDATE worker SET draining = true WHERE id = $1', [workerId]);
  }

  /** Workers with a good lease whose processes are on that machine. */
  async listLiveOn(machine: string): Promise<{ id: string; pid: number }[]> {
    const { rows } = await this.database.pool.query<{ id: string; pid: number }>(
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
    const { rows } = await this.database.pool.query<WorkerRow>(
      `SELECT w.*, w.stopped_at IS NULL AND w.lease_expires_at > now() AS live,
         (SELECT count(*)::int FROM turn t WHERE t.worker_id = w.id AND t.active_session_id IS NOT NULL) AS running
       FROM worker w WHERE w.last_seen_at > now() - interval '1 hour' ORDER BY w.started_at, w.id`,
    );
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

  /** Whether turns can run at all: is a worker there, has one a sandbox that was proven, or none because it was asked for, and which harnesses are there. */
  async findReadiness(): Promise<Readiness> {
    const { rows } = await this.database.pool.query<Omit<Readiness, 'sandbox'> & { sandbox: Worker['sandbox'] | null }>(
      `WITH live AS (SELECT * FROM worker WHERE stopped_at IS NULL AND NOT draining AND lease_expires_at > now())
       SELECT count(*)::int AS workers, count(*) FILTER (WHERE sandbox <> 'unavailable')::int AS sandboxed,
         max(sandbox) FILTER (WHERE sandbox <> 'unavailable') AS sandbox, max(sandbox_detail) AS detail,
         -- Each renewal makes the lease good for its whole term again, so what is left of it says how long ago that was.
         (extract(epoch FROM now() - max(lease_expires_at) FILTER (WHERE sandbox <> 'unavailable')) + ${LEASE_TTL_MS / 1_000})::float8 AS "silentSeconds",
         (SELECT coalesce(array_agg(DISTINCT name ORDER BY name), '{}') FROM live fit, unnest(fit.harnesses) AS name WHERE fit.sandbox <> 'unavailable') AS harnesses
       FROM live`,
    );
    const row = rows[0];
    const silentSeconds = row?.silentSeconds ?? 0;
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
   * The live worker to ask about a session's files: the one that runs its turn, else its holder, else any; with null any.
   * One that was not heard from lately comes last: it may be dead, and another can look at what is stored.
   */
  async findForWorkspace(sessionId: string | null): Promise<string | null> {
    const { rows } = await this.database.pool.query<{ id: string }>(
      `SELECT w.id FROM worker w
       LEFT JOIN session s ON s.id = $1
       LEFT JOIN turn t ON t.active_session_id = $1
       WHERE w.stopped_at IS NULL AND w.lease_expires_at > now()
       ORDER BY w.lease_expires_at > now() + ${LEASE_TTL_MS - SILENT_AFTER_MS} * interval '1 millisecond' DESC, (w.id = t.worker_id) DESC NULLS LAST, (w.id = s.holder_worker_id) DESC NULLS LAST, w.draining, w.started_at, w.id LIMIT 1`,
      [sessionId],
    );
    return rows[0]?.id ?? null;
  }
}

function statusOf(row: WorkerRow): Worker['status'] {
  if (!row.live) return 'gone';
  if (row.draining) return 'draining';
  return row.sandbox === 'unavailable' ? 'sandbox_unavailable' : 'ready';
}
