import type { HarnessName, Worker } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import type { WorkerRow } from '../generated/rows';
import { LEASE_TTL_MS, SILENT_AFTER_MS, type WorkerLife } from './lease';
import { livenessLockIsHeld } from './liveness-lock';

const MS = `interval '1 millisecond'`;
/** A lease that is good, of `worker w`. */
const IS_LIVE = 'w.stopped_at IS NULL AND w.lease_expires_at > now()';

type RegisteredColumns = Pick<
  WorkerRow,
  'id' | 'machine' | 'pid' | 'slots' | 'sandbox' | 'sandbox_detail' | 'claude_version'
> & { life: string; harnesses: readonly HarnessName[] };

/** A later life of the same id takes the place of the earlier one. */
export async function putWorker(tx: Tx, worker: RegisteredColumns, ttlMs: number): Promise<void> {
  await tx.query(
    `INSERT INTO worker (id, lease_expires_at, machine, pid, slots, sandbox, sandbox_detail, claude_version, harnesses,
      life, started_at, last_seen_at)
     VALUES ($1, now() + $2 * ${MS}, $3, $4, $5, $6, $7, $8, $9, $10, now(), now())
     ON CONFLICT (id) DO UPDATE SET lease_expires_at = EXCLUDED.lease_expires_at, machine = EXCLUDED.machine,
       pid = EXCLUDED.pid, slots = EXCLUDED.slots,
       sandbox = EXCLUDED.sandbox, sandbox_detail = EXCLUDED.sandbox_detail, claude_version = EXCLUDED.claude_version,
         harnesses = EXCLUDED.harnesses,
       life = EXCLUDED.life, started_at = EXCLUDED.started_at, last_seen_at = EXCLUDED.last_seen_at, draining = false,
         stopped_at = NULL, liveness_key = NULL`,
    [
      worker.id,
      ttlMs,
      worker.machine,
      worker.pid,
      worker.slots,
      worker.sandbox,
      worker.sandbox_detail,
      worker.claude_version,
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
export async function renewLease(
  tx: Tx,
  { id, life }: WorkerLife,
  { ttlMs = LEASE_TTL_MS, livenessKey = null }: { ttlMs?: number | undefined; livenessKey?: number | null } = {},
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE worker SET lease_expires_at = now() + $2 * ${MS}, last_seen_at = now(),
       liveness_key = CASE WHEN ${livenessLockIsHeld('$4::int')} THEN $4::int END
     WHERE id = $1 AND life = $3 AND stopped_at IS NULL`,
    [id, ttlMs, life, livenessKey],
  );
  return rowCount === 1;
}

type ListedRow = Pick<
  WorkerRow,
  | 'id'
  | 'slots'
  | 'sandbox'
  | 'sandbox_detail'
  | 'claude_version'
  | 'harnesses'
  | 'draining'
  | 'started_at'
  | 'last_seen_at'
> & { live: boolean; running: number };

/** Seen within the last hour; longest running first. */
export async function selectWorkers(tx: Tx): Promise<ListedRow[]> {
  const { rows } = await tx.query<ListedRow>(
    `SELECT w.id, w.slots, w.sandbox, w.sandbox_detail, w.claude_version, w.harnesses, w.draining, w.started_at,
      w.last_seen_at, ${IS_LIVE} AS live,
       (SELECT count(*)::int FROM turn t WHERE t.worker_id = w.id AND t.active_session_id IS NOT NULL) AS running
     FROM worker w WHERE w.last_seen_at > now() - interval '1 hour' ORDER BY w.started_at, w.id`,
  );
  return rows;
}

interface ReadinessRow {
  workers: number;
  sandboxed: number;
  sandbox: Worker['sandbox'] | null;
  detail: WorkerRow['sandbox_detail'];
  silent_seconds: number | null;
  harnesses: WorkerRow['harnesses'];
}

/** `silent_seconds`: since the one with a sandbox that was heard from last said anything. */
export async function selectReadiness(tx: Tx): Promise<ReadinessRow | undefined> {
  const { rows } = await tx.query<ReadinessRow>(
    `WITH live AS (SELECT * FROM worker w WHERE ${IS_LIVE} AND NOT w.draining)
     SELECT count(*)::int AS workers, count(*) FILTER (WHERE sandbox <> 'unavailable')::int AS sandboxed,
       max(sandbox) FILTER (WHERE sandbox <> 'unavailable') AS sandbox, max(sandbox_detail) AS detail,
       -- Each renewal makes the lease good for its whole term again, so what is left of it says how long ago that was.
       (extract(epoch FROM now() - max(lease_expires_at) FILTER (WHERE sandbox <> 'unavailable')) + ${LEASE_TTL_MS / 1_000})::float8 AS silent_seconds,
       (SELECT coalesce(array_agg(DISTINCT name ORDER BY name), '{}') FROM live fit, unnest(fit.harnesses) AS name
         WHERE fit.sandbox <> 'unavailable') AS harnesses
     FROM live`,
  );
  return rows[0];
}

/**
 * The live worker that runs the turn in the session's files, which another session may share, else their holder, else
 * any; those that were not heard from lately come last.
 */
export async function selectForWorkspace(tx: Tx, sessionId: string | null): Promise<Pick<WorkerRow, 'id'> | undefined> {
  const { rows } = await tx.query<Pick<WorkerRow, 'id'>>(
    `WITH place AS (
       SELECT coalesce(own.worker_id, sharing.worker_id) AS running,
         CASE WHEN shared.id IS NULL THEN s.holder_worker_id ELSE shared.holder_worker_id END AS holder
       FROM session s LEFT JOIN shared_workspace shared ON shared.id = s.shared_workspace_id
       LEFT JOIN turn own ON own.active_session_id = s.id
       LEFT JOIN turn sharing ON sharing.shared_workspace_id = shared.id AND sharing.active_session_id IS NOT NULL
       WHERE s.id = $1
     )
     SELECT w.id FROM worker w LEFT JOIN place ON true
     WHERE ${IS_LIVE}
     ORDER BY w.lease_expires_at > now() + ${LEASE_TTL_MS - SILENT_AFTER_MS} * ${MS} DESC,
       (w.id = place.running) DESC NULLS LAST, (w.id = place.holder) DESC NULLS LAST, w.draining, w.started_at, w.id
     LIMIT 1`,
    [sessionId],
  );
  return rows[0];
}
