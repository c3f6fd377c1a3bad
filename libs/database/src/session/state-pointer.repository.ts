import type { RecordedWork } from '@chirality/contracts';
import type { Database, Tx } from '../connection/database';
import { sentTogether } from '../connection/sent-together';
import { inTransaction } from '../connection/transaction';
import { LAST_RUN_FENCE } from './last-run-fence';
import { onePointer, type StatePointer } from './state-pointer-row';

const POINTER = `s.state_version, s.state_key, s.holder_worker_id, ${LAST_RUN_FENCE} AS last_run_fence`;

/** The row that decides which copy of a session counts. Every method is one commit. */
export class StatePointerRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async read(sessionId: string): Promise<StatePointer | null> {
    return onePointer(this.database.pool, `SELECT ${POINTER} FROM session s WHERE s.id = $1`, [sessionId]);
  }

  /**
   * Makes the worker the session's holder while `fence` is the session's fence. Null: another worker took over. The
   * claim made it the holder already in nearly all cases, and then nothing is written, so nothing is waited for.
   */
  async hold({
    sessionId,
    workerId,
    fence,
  }: {
    sessionId: string;
    workerId: string;
    fence: bigint;
  }): Promise<StatePointer | null> {
    const row = await onePointer(
      this.database.pool,
      `WITH held AS (
         UPDATE session s SET holder_worker_id = $2 FROM session_cursor c
         WHERE s.id = $1 AND c.session_id = s.id AND c.fence = $3 AND s.holder_worker_id IS DISTINCT FROM $2
       )
       SELECT ${POINTER} FROM session s JOIN session_cursor c ON c.session_id = s.id WHERE s.id = $1 AND c.fence = $3`,
      [sessionId, workerId, fence.toString()],
    );
    return row && { ...row, holderWorkerId: workerId };
  }

  /**
   * Makes the worker the holder while no turn of the session is live and no other live worker holds it. Null otherwise.
   * The cursor's lock comes first: a claim that is under way is waited for and then seen.
   */
  async holdIdle({ sessionId, workerId }: { sessionId: string; workerId: string }): Promise<StatePointer | null> {
    return inTransaction(this.database.pool, async (tx) => {
      const [, held] = await sentTogether([
        tx.query('SELECT 1 FROM session_cursor WHERE session_id = $1 FOR UPDATE', [sessionId]),
        this.holdUnlessLive(tx, { sessionId, workerId }),
      ]);
      return held;
    });
  }

  private holdUnlessLive(
    tx: Tx,
    { sessionId, workerId }: { sessionId: string; workerId: string },
  ): Promise<StatePointer | null> {
    return onePointer(
      tx,
      `UPDATE session s SET holder_worker_id = $2
       WHERE s.id = $1
         AND NOT EXISTS (SELECT 1 FROM turn live WHERE live.active_session_id = s.id)
         AND NOT EXISTS (
           SELECT 1 FROM worker other
           WHERE other.id = s.holder_worker_id AND other.id <> $2 AND other.stopped_at IS NULL
             AND other.lease_expires_at > now()
         )
       RETURNING ${POINTER}`,
      [sessionId, workerId],
    );
  }

  /**
   * Makes `key` version `fromVersion` + 1 if that worker still is the holder and `fromVersion` the version. `unpushed`:
   * what the files of that version have beyond the project, null where that is not known, undefined where they are
   * those of the version before. `isTooLarge`: its newest files are not in it.
   */
  async move({
    sessionId,
    workerId,
    fromVersion,
    key,
    unpushed,
    isTooLarge = false,
  }: {
    sessionId: string;
    workerId: string;
    fromVersion: number;
    key: string;
    unpushed?: RecordedWork | null | undefined;
    isTooLarge?: boolean | undefined;
  }): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE session SET state_version = state_version + 1, state_key = $4, has_unstored_act = false,
         unpushed = CASE WHEN $5 THEN $6::json ELSE unpushed END, unpushed_at = CASE WHEN $5 THEN now() ELSE unpushed_at END,
         unstored_since = CASE WHEN $7 THEN coalesce(unstored_since, now()) END,
         unstored_reason = CASE WHEN $7 THEN 'too_large' END
       WHERE id = $1 AND holder_worker_id = $2 AND state_version = $3 AND purged_at IS NULL`,
      [
        sessionId,
        workerId,
        fromVersion,
        key,
        unpushed !== undefined,
        unpushed ? JSON.stringify(unpushed) : null,
        isTooLarge,
      ],
    );
    return rowCount === 1;
  }

  /**
   * What follows that version is on that worker's disk alone, because storing it failed. Until `move` people read since
   * when. Does nothing where it was stored all the same.
   */
  async noteUnstored({
    sessionId,
    workerId,
    fromVersion,
  }: {
    sessionId: string;
    workerId: string;
    fromVersion: number;
  }): Promise<void> {
    await this.database.pool.query(
      `UPDATE session SET unstored_since = coalesce(unstored_since, now()), unstored_reason = 'failed'
       WHERE id = $1 AND holder_worker_id = $2 AND state_version = $3`,
      [sessionId, workerId, fromVersion],
    );
  }

  /**
   * A user's change to the files is on that worker's disk alone: the session is not handed over before it is stored.
   */
  async markUnstored({ sessionId, workerId }: { sessionId: string; workerId: string }): Promise<void> {
    await this.database.pool.query(
      'UPDATE session SET has_unstored_act = true WHERE id = $1 AND holder_worker_id = $2',
      [sessionId, workerId],
    );
  }
}
