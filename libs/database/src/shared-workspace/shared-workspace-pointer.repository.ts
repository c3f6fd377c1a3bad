import type { RecordedWork } from '@chirality/contracts';
import type { Database } from '../connection/database';
import { sentTogether } from '../connection/sent-together';
import { inTransaction } from '../connection/transaction';
import { onePointer, type StatePointer } from '../session/state-pointer-row';
import { LAST_RUN_IN_WORKSPACE } from './shared-workspace.sql';

const POINTER = `w.state_version, w.state_key, w.holder_worker_id, ${LAST_RUN_IN_WORKSPACE} AS last_run_fence`;

/** The row that decides which copy of a shared workspace counts. Every method is one commit. */
export class SharedWorkspacePointerRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async read(sharedWorkspaceId: string): Promise<StatePointer | null> {
    return onePointer(this.database.pool, `SELECT ${POINTER} FROM shared_workspace w WHERE w.id = $1`, [
      sharedWorkspaceId,
    ]);
  }

  /** Makes the worker the holder while `fence` is the workspace's. Null: a later turn has it, of whichever session. */
  async hold(of: { sharedWorkspaceId: string; workerId: string; fence: bigint }): Promise<StatePointer | null> {
    return onePointer(
      this.database.pool,
      `UPDATE shared_workspace w SET holder_worker_id = $2 WHERE w.id = $1 AND w.fence = $3 RETURNING ${POINTER}`,
      [of.sharedWorkspaceId, of.workerId, of.fence.toString()],
    );
  }

  /**
   * Makes the worker the holder while no session has a live turn in it and no other live worker holds it. Null
   * otherwise. The row's lock comes first: a claim that is under way is waited for and then seen.
   */
  async holdIdle(of: { sharedWorkspaceId: string; workerId: string }): Promise<StatePointer | null> {
    return inTransaction(this.database.pool, async (tx) => {
      const [, held] = await sentTogether([
        tx.query('SELECT 1 FROM shared_workspace WHERE id = $1 FOR UPDATE', [of.sharedWorkspaceId]),
        onePointer(
          tx,
          `UPDATE shared_workspace w SET holder_worker_id = $2
           WHERE w.id = $1
             AND NOT EXISTS (SELECT 1 FROM turn live WHERE live.shared_workspace_id = w.id
               AND live.active_session_id IS NOT NULL)
             AND NOT EXISTS (
               SELECT 1 FROM worker other
               WHERE other.id = w.holder_worker_id AND other.id <> $2 AND other.stopped_at IS NULL
                 AND other.lease_expires_at > now()
             )
           RETURNING ${POINTER}`,
          [of.sharedWorkspaceId, of.workerId],
        ),
      ]);
      return held;
    });
  }

  /** Makes `key` version `fromVersion` + 1 if that worker still is the holder and `fromVersion` the version. */
  async move(move: {
    sharedWorkspaceId: string;
    workerId: string;
    fromVersion: number;
    key: string;
    unpushed?: RecordedWork | null | undefined;
    isTooLarge?: boolean | undefined;
  }): Promise<boolean> {
    const { sharedWorkspaceId, workerId, fromVersion, key, unpushed, isTooLarge = false } = move;
    const { rowCount } = await this.database.pool.query(
      `UPDATE shared_workspace SET state_version = state_version + 1, state_key = $4, has_unstored_act = false,
         unpushed = CASE WHEN $5 THEN $6::json ELSE unpushed END, unpushed_at = CASE WHEN $5 THEN now() ELSE unpushed_at END,
         unstored_since = CASE WHEN $7 THEN coalesce(unstored_since, now()) END,
         unstored_reason = CASE WHEN $7 THEN 'too_large' END
       WHERE id = $1 AND holder_worker_id = $2 AND state_version = $3 AND NOT EXISTS (SELECT 1 FROM project p
         WHERE p.id = project_id AND p.purged_at IS NOT NULL)`,
      [
        sharedWorkspaceId,
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
   * What follows that version is on that worker's disk alone, because storing it failed; see
   * `StatePointerRepository`.
   */
  async noteUnstored(of: { sharedWorkspaceId: string; workerId: string; fromVersion: number }): Promise<void> {
    await this.database.pool.query(
      `UPDATE shared_workspace SET unstored_since = coalesce(unstored_since, now()), unstored_reason = 'failed'
       WHERE id = $1 AND holder_worker_id = $2 AND state_version = $3`,
      [of.sharedWorkspaceId, of.workerId, of.fromVersion],
    );
  }

  /** A user's change is on that worker's disk alone: the workspace is not handed over before it is stored. */
  async markUnstored(of: { sharedWorkspaceId: string; workerId: string }): Promise<void> {
    await this.database.pool.query(
      'UPDATE shared_workspace SET has_unstored_act = true WHERE id = $1 AND holder_worker_id = $2',
      [of.sharedWorkspaceId, of.workerId],
    );
  }
}
