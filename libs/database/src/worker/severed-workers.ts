import type { Tx } from '../connection/database';
import type { WorkerRow } from '../generated/rows';
import { livenessKeyOf, livenessLockIsHeld } from './liveness-lock';
import { SILENT_AFTER_MS } from './lease';

/**
 * A worker whose connection broke takes the lock again, or renews its lease without it, within this time: a try may
 * take 4 s, and the next comes 1 s later.
 */
const CONFIRM_AFTER_MS = 6_000;
/** After an outage all of them connect at once. */
const GRACE_MS = 10_000;
/** Between looks that are further apart, a lock may have been taken and lost again. */
const MAX_GAP_MS = 5_000;

/**
 * A connection from before the worker's last renewal is still there. A server that has started since, recovered from a
 * crash or taken over from another has none, and there a free lock says nothing about the worker.
 */
const SERVER_IS_THE_SAME = `EXISTS (
  SELECT 1 FROM pg_stat_activity a
  WHERE a.datname = current_database() AND a.backend_type = 'client backend' AND a.backend_start < w.last_seen_at)`;

/** Only a worker that has a life has a key. */
type SeveredRow = { [K in 'life' | 'liveness_key']: NonNullable<WorkerRow[K]> };

const IS_SEVERED = `w.stopped_at IS NULL AND w.liveness_key IS NOT NULL
  AND NOT ${livenessLockIsHeld('w.liveness_key')} AND ${SERVER_IS_THE_SAME}`;

/**
 * Finds the workers whose process is gone long before their leases end: the server freed their liveness lock, no
 * renewal came, and both are still so at a later look. What a worker that only lost its connection would do in between
 * is take the lock again or renew its lease without one, and either clears it.
 */
export class SeveredWorkers {
  private readonly sinceByLife = new Map<string, number>();
  private lastLookMs = Number.NEGATIVE_INFINITY;
  private steadyAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: () => number,
    private readonly silentAfterMs = SILENT_AFTER_MS,
  ) {}

  /** Forgets what was seen, and gives up no worker for a while: while Postgres was away, none could hold a lock. */
  reset(): void {
    this.sinceByLife.clear();
    this.steadyAtMs = this.clock() + GRACE_MS;
  }

  /** Gives up those that were severed at an earlier look too, and returns their ids. Call it every few seconds. */
  async giveUp(tx: Tx): Promise<string[]> {
    const now = this.clock();
    if (now - this.lastLookMs > MAX_GAP_MS) this.sinceByLife.clear();
    this.lastLookMs = now;
    if (now < this.steadyAtMs) return [];
    const { rows } = await tx.query<SeveredRow>(`SELECT w.life, w.liveness_key FROM worker w WHERE ${IS_SEVERED}`);
    // Another key is an earlier life's: the version that registered since knows of none.
    const severed = new Set(rows.filter((row) => row.liveness_key === livenessKeyOf(row.life)).map(({ life }) => life));
    for (const life of this.sinceByLife.keys()) if (!severed.has(life)) this.sinceByLife.delete(life);
    for (const life of severed) if (!this.sinceByLife.has(life)) this.sinceByLife.set(life, now);
    const confirmed = [...this.sinceByLife]
      .filter(([, since]) => now - since >= CONFIRM_AFTER_MS)
      .map(([life]) => life);
    if (confirmed.length === 0) return [];
    const given = await tx.query<Pick<WorkerRow, 'id'>>(
      `UPDATE worker w SET stopped_at = now(), draining = true
       WHERE w.life = ANY ($1) AND w.last_seen_at < now() - $2 * interval '1 millisecond' AND ${IS_SEVERED}
       RETURNING w.id`,
      [confirmed, this.silentAfterMs],
    );
    return given.rows.map(({ id }) => id);
  }
}
