import type {
  GitFailure,
  ProjectSource,
  RefreshFailure,
  RefreshState,
  SourceProgress,
  SourceReport,
} from '@chirality/contracts';
import type { Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { ProjectRow } from '../generated/rows';
import type { WorkerLife } from '../worker/lease';
import type { FetchRef } from './project-fetch.repository';

/** A refresh that took this many workers down is not given to another one until a user asks again. */
const MAX_LOST_WORKERS = 2;

/** So that a team's slow hosts leave room for the refreshes of others. */
const MAX_OF_TEAM = 2;

/** A project whose remote is to be asked for newer commits, by the worker that claimed it. */
export interface ClaimedRefresh {
  projectId: string;
  teamId: string;
  name: string;
  source: ProjectSource;
  /** Who asked for it. */
  userId: string;
  attempt: number;
  bundleKey: string | null;
  /** Of the state before this one, which is no longer needed. */
  replacedBundleKey: string | null;
}

/** What the remote has now. `bundleKey` is null when the project had all of it. */
type Refreshed = {
  bundleKey: string | null;
  branch: string;
  baseCommit: string;
  note: string | null;
  report?: SourceReport | null;
};

type ClaimedRow = Pick<
  ProjectRow,
  | 'id'
  | 'team_id'
  | 'name'
  | 'source'
  | 'created_by_id'
  | 'refresh_by_id'
  | 'refresh_attempt'
  | 'bundle_key'
  | 'replaced_bundle_key'
>;

const MINE = `id = $1 AND refresh_worker_id = $2 AND refresh_attempt = $3 AND refresh_status = 'running'
  AND archived_at IS NULL`;
const OVER = `refresh_since = now(), refresh_worker_id = NULL, refresh_worker_life = NULL, refresh_progress = NULL`;

/**
 * Who asks a project's remote for newer commits, and how far that is: as with the first fetch the rows are the queue,
 * and what a worker writes carries its attempt. The project stays `ready` all the while; its bundle changes in one
 * statement, at the end.
 */
export class ProjectRefreshRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /**
   * A person, or a new session of theirs, asks. False: it is under way already, or the project has no files of a
   * remote.
   */
  async ask(projectId: string, userId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET refresh_status = 'waiting', refresh_since = now(), refresh_by_id = $2, refresh_lost = 0,
         refresh_error = NULL
       WHERE id = $1 AND refresh_status IN ('idle', 'failed') AND source_status = 'ready' AND source->>'kind' = 'git'
         AND archived_at IS NULL`,
      [projectId, userId],
    );
    return rowCount === 1;
  }

  /**
   * A person stops it, and `detail` says who: the files stay what they were. The worker sees that with its next report.
   * False when none waits or runs.
   */
  async stop(projectId: string, detail: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET refresh_status = 'failed', ${OVER}, refresh_error = $2
       WHERE id = $1 AND refresh_status IN ('waiting', 'running') AND archived_at IS NULL`,
      [projectId, JSON.stringify({ code: 'GIT_STOPPED', detail: storableText(detail) } satisfies RefreshFailure)],
    );
    return rowCount === 1;
  }

  /** How far it is; null for a project that is not there. */
  async find(
    projectId: string,
  ): Promise<{ status: RefreshState['status']; error: RefreshFailure | null; refreshedAt: Date | null } | null> {
    const { rows } = await this.database.pool.query<
      Pick<ProjectRow, 'refresh_status' | 'refresh_error' | 'refreshed_at'>
    >('SELECT refresh_status, refresh_error, refreshed_at FROM project WHERE id = $1', [projectId]);
    const [row] = rows;
    return row ? { status: row.refresh_status, error: row.refresh_error, refreshedAt: row.refreshed_at } : null;
  }

  /**
   * The one that waits longest, of the teams of which this worker refreshes least; null when none waits, or this worker
   * takes none. `running`: what it refreshes already.
   */
  async claimNext(
    { id, life }: WorkerLife,
    { running }: { running: Pick<ClaimedRefresh, 'projectId' | 'teamId'>[] },
  ): Promise<ClaimedRefresh | null> {
    const { rows } = await this.database.pool.query<ClaimedRow>({
      name: 'claim_next_refresh',
      text: `UPDATE project SET refresh_status = 'running', refresh_since = now(), refresh_worker_id = $1,
        refresh_worker_life = $2, refresh_attempt = refresh_attempt + 1, refresh_progress = NULL
       WHERE id = (
           SELECT p.id FROM project p
           WHERE p.archived_at IS NULL AND (p.refresh_status = 'waiting' OR (p.refresh_status = 'running'
             AND p.refresh_worker_id = $1 AND p.refresh_worker_life = $2 AND p.id <> ALL ($3::text[])))
             AND cardinality(array_positions($4::text[], p.team_id)) < $5
           ORDER BY cardinality(array_positions($4::text[], p.team_id)), p.refresh_status, p.refresh_since, p.id FOR UPDATE SKIP LOCKED LIMIT 1)
         AND EXISTS (SELECT FROM worker w WHERE w.id = $1 AND w.life = $2 AND w.stopped_at IS NULL AND NOT w.draining
           AND w.lease_expires_at > now())
       RETURNING id, team_id, name, source, created_by_id, refresh_by_id, refresh_attempt, bundle_key, replaced_bundle_key`,
      values: [id, life, running.map(({ projectId }) => projectId), running.map(({ teamId }) => teamId), MAX_OF_TEAM],
    });
    const [row] = rows;
    return row
      ? {
          projectId: row.id,
          teamId: row.team_id,
          name: row.name,
          source: row.source,
          userId: row.refresh_by_id ?? row.created_by_id,
          attempt: row.refresh_attempt,
          bundleKey: row.bundle_key,
          replacedBundleKey: row.replaced_bundle_key,
        }
      : null;
  }

  /** False: the refresh no longer belongs to this worker, or is no longer wanted. */
  async report({ projectId, workerId, attempt }: FetchRef, progress: SourceProgress): Promise<boolean> {
    const { remote } = progress;
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET refresh_progress = $4, remote_commit = coalesce($5, remote_commit),
         remote_behind = CASE WHEN $5::text IS NULL OR ($6::int IS NULL AND remote_commit = $5) THEN remote_behind
           ELSE $6 END,
         remote_seen_at = CASE WHEN $5::text IS NULL THEN remote_seen_at ELSE now() END
       WHERE ${MINE}`,
      [projectId, workerId, attempt, JSON.stringify(progress), remote?.commit ?? null, remote?.behind ?? null],
    );
    return rowCount === 1;
  }

  /**
   * From now on new sessions start from that commit. `from`: the bundle that the refresh began with. False: another
   * refresh counts, or none.
   */
  async complete(
    { projectId, workerId, attempt }: FetchRef,
    from: string | null,
    { bundleKey, branch, baseCommit, note, report }: Refreshed,
  ): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET refresh_status = 'idle', ${OVER}, refresh_error = NULL, refresh_note = $8,
         refreshed_at = now(), remote_commit = NULL, remote_behind = NULL, remote_seen_at = NULL,
         base_branch = $6, base_commit = $7, bundle_key = coalesce($5, bundle_key),
         source_report = coalesce($9, source_report),
         replaced_bundle_key = CASE WHEN $5::text IS NULL THEN replaced_bundle_key ELSE bundle_key END,
         updated_at = CASE WHEN $5::text IS NULL THEN updated_at ELSE now() END
       WHERE ${MINE} AND bundle_key IS NOT DISTINCT FROM $4`,
      [
        projectId,
        workerId,
        attempt,
        from,
        bundleKey,
        storableText(branch),
        baseCommit,
        note === null ? null : storableText(note),
        report ? JSON.stringify(report) : null,
      ],
    );
    return rowCount === 1;
  }

  /** The files stay what they were. */
  async fail({ projectId, workerId, attempt }: FetchRef, { code, detail }: GitFailure): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET refresh_status = 'failed', ${OVER}, refresh_error = $4 WHERE ${MINE}`,
      [projectId, workerId, attempt, JSON.stringify({ code, detail: storableText(detail) })],
    );
    return rowCount === 1;
  }

  /** The worker ends: another one may. */
  async giveBack({ projectId, workerId, attempt }: FetchRef): Promise<void> {
    await this.database.pool.query(`UPDATE project SET refresh_status = 'waiting', ${OVER} WHERE ${MINE}`, [
      projectId,
      workerId,
      attempt,
    ]);
  }

  /** What a worker found in a bundle of a project of which that is not known yet. */
  async recordBase(projectId: string, bundleKey: string, base: { branch: string; baseCommit: string }): Promise<void> {
    await this.database.pool.query(
      `UPDATE project SET base_branch = $3, base_commit = $4 WHERE id = $1 AND bundle_key = $2
         AND (base_branch IS NULL OR base_commit IS NULL)`,
      [projectId, bundleKey, storableText(base.branch), base.baseCommit],
    );
  }
}

/** Refreshes whose worker is gone: they wait again, or have failed once that happened too often. */
export async function settleOrphanedRefreshes(tx: Tx): Promise<string[]> {
  const lost: GitFailure = {
    code: 'WORKER_LOST',
    detail:
      'The worker that asked the remote stopped answering, more than once. The files are what they were; try again, and look at the worker’s log if it happens again.',
  };
  const { rows } = await tx.query<Pick<ProjectRow, 'id'>>(
    `UPDATE project p SET refresh_lost = p.refresh_lost + 1, ${OVER},
       refresh_status = CASE WHEN p.refresh_lost + 1 >= $1 THEN 'failed' ELSE 'waiting' END,
       refresh_error = CASE WHEN p.refresh_lost + 1 >= $1 THEN $2::json END
     WHERE p.refresh_status = 'running'
       AND NOT EXISTS (SELECT FROM worker w WHERE w.id = p.refresh_worker_id AND w.stopped_at IS NULL AND w.life
         IS NOT DISTINCT FROM p.refresh_worker_life)
     RETURNING p.id`,
    [MAX_LOST_WORKERS, JSON.stringify(lost)],
  );
  return rows.map(({ id }) => id);
}
