import type { ProjectSource, SourceFailure, SourceProgress, SourceReport } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { ProjectRow } from '../generated/rows';
import type { WorkerLife } from '../worker/lease';

/** A project whose files are too much for this many workers is not given to another one until a user retries it. */
const MAX_LOST_WORKERS = 2;

/** A project's files, to be fetched by the worker that claimed them. */
export interface ClaimedFetch {
  projectId: string;
  teamId: string;
  name: string;
  source: ProjectSource;
  /** Who asked for it last, as whom it is fetched. */
  userId: string;
  attempt: number;
  /** Blob key of what was uploaded for it. */
  uploadKey: string | null;
}

type ClaimedRow = Pick<
  ProjectRow,
  'id' | 'team_id' | 'name' | 'source' | 'created_by_id' | 'source_asked_by_id' | 'source_attempt' | 'source_upload_key'
>;

/** Which fetch a worker speaks of. */
export type FetchRef = { projectId: string; workerId: string; attempt: number };

const TAKES_UPLOADS = `p.source_status IN ('awaiting_upload', 'failed') AND p.source->>'kind' = 'upload'
  AND p.archived_at IS NULL`;
const MINE = `id = $1 AND source_worker_id = $2 AND source_attempt = $3 AND source_status = 'fetching' AND archived_at
  IS NULL`;

/**
 * Who fetches a project's files, and how far that is. The rows are the queue; a worker that died is noticed by its
 * lease. Whatever a worker writes carries its attempt, so that one that was given up changes nothing.
 */
export class ProjectFetchRepository {
  constructor(private readonly database: { pool: Tx }) {}

  /**
   * The project that waits longest, of the team for which least is being fetched. Null: none waits, or this worker
   * takes none. `running`: what it fetches already. Another project that is down as this worker's was given to it while
   * the answer was lost, and comes first.
   */
  async claimNext({ id, life }: WorkerLife, { running }: { running: string[] }): Promise<ClaimedFetch | null> {
    const { rows } = await this.database.pool.query<ClaimedRow>({
      name: 'claim_next_fetch',
      text: `UPDATE project SET source_status = 'fetching', source_since = now(), source_worker_id = $1,
        source_worker_life = $2, source_attempt = source_attempt + 1, source_progress = NULL
       WHERE id = (
           SELECT p.id FROM project p
           WHERE p.archived_at IS NULL AND (p.source_status = 'waiting' OR (p.source_status = 'fetching'
             AND p.source_worker_id = $1 AND p.source_worker_life = $2 AND p.id <> ALL ($3::text[])))
           ORDER BY p.source_status, (SELECT count(*) FROM project f WHERE f.source_status = 'fetching'
             AND f.team_id = p.team_id AND f.archived_at IS NULL), p.source_since, p.id
           FOR UPDATE SKIP LOCKED LIMIT 1)
         AND EXISTS (SELECT FROM worker w WHERE w.id = $1 AND w.life = $2 AND w.stopped_at IS NULL AND NOT w.draining
           AND w.lease_expires_at > now())
       RETURNING id, team_id, name, source, created_by_id, source_asked_by_id, source_attempt, source_upload_key`,
      values: [id, life, running],
    });
    const [row] = rows;
    return row
      ? {
          projectId: row.id,
          teamId: row.team_id,
          name: row.name,
          source: row.source,
          userId: row.source_asked_by_id ?? row.created_by_id,
          attempt: row.source_attempt,
          uploadKey: row.source_upload_key,
        }
      : null;
  }

  /** False: the fetch no longer belongs to this worker, or is no longer wanted. */
  async report({ projectId, workerId, attempt }: FetchRef, progress: SourceProgress): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(`UPDATE project SET source_progress = $4 WHERE ${MINE}`, [
      projectId,
      workerId,
      attempt,
      JSON.stringify(progress),
    ]);
    return rowCount === 1;
  }

  /** From now on every worker builds the project from that bundle. False: another fetch counts, or none. */
  async complete(
    { projectId, workerId, attempt }: FetchRef,
    bundleKey: string,
    base: { branch: string; baseCommit: string; report?: SourceReport | null } | null = null,
  ): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET source_status = 'ready', source_since = now(), source_worker_id = NULL,
        source_worker_life = NULL, source_progress = NULL, source_error = NULL, bundle_key = $4, updated_at = now(),
        base_branch = $5, base_commit = $6, source_report = $7,
        refreshed_at = CASE WHEN source->>'kind' = 'git' THEN now() END
       WHERE ${MINE} AND bundle_key IS NULL`,
      [
        projectId,
        workerId,
        attempt,
        bundleKey,
        base?.branch ?? null,
        base?.baseCommit ?? null,
        base?.report ? JSON.stringify(base.report) : null,
      ],
    );
    return rowCount === 1;
  }

  async fail({ projectId, workerId, attempt }: FetchRef, { code, detail }: SourceFailure): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET source_status = 'failed', source_since = now(), source_worker_id = NULL,
        source_worker_life = NULL, source_progress = NULL, source_error = $4 WHERE ${MINE}`,
      [projectId, workerId, attempt, JSON.stringify({ code, detail: storableText(detail) })],
    );
    return rowCount === 1;
  }

  /** The worker ends, or cannot fetch for a local reason: another one may. */
  async giveBack({ projectId, workerId, attempt }: FetchRef): Promise<void> {
    await this.database.pool.query(
      `UPDATE project SET source_status = 'waiting', source_since = now(), source_worker_id = NULL,
        source_worker_life = NULL, source_progress = NULL WHERE ${MINE}`,
      [projectId, workerId, attempt],
    );
  }

  /**
   * An archive arrives, to be kept under that key. Answers the key of an earlier one, which is no longer needed;
   * null when the project's files are here or on their way.
   */
  async beginUpload(projectId: string, key: string): Promise<{ replaced: string | null } | null> {
    const { rows } = await this.database.pool.query<{ replaced: ProjectRow['source_upload_key'] }>(
      `UPDATE project p SET source_upload_key = $2 FROM (SELECT id, source_upload_key AS replaced FROM project
        WHERE id = $1 FOR UPDATE) before
       WHERE p.id = before.id AND ${TAKES_UPLOADS} RETURNING before.replaced`,
      [projectId, key],
    );
    return rows[0] ?? null;
  }

  /** The archive is stored whole. False: another one was begun since, or is being unpacked. */
  async completeUpload(projectId: string, key: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project p SET source_status = 'waiting', source_since = now(), source_lost = 0, source_error = NULL
        WHERE p.id = $1 AND p.source_upload_key = $2 AND ${TAKES_UPLOADS}`,
      [projectId, key],
    );
    return rowCount === 1;
  }

  /**
   * A person stops it, and `detail` says who. The worker that fetches sees that with its next report, and whatever it
   * writes after this changes nothing. False when nothing waits or is fetched.
   */
  async stop(projectId: string, detail: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET source_status = 'failed', source_since = now(), source_worker_id = NULL,
        source_worker_life = NULL, source_progress = NULL, source_error = $2
        WHERE id = $1 AND source_status IN ('waiting', 'fetching') AND archived_at IS NULL`,
      [projectId, JSON.stringify({ code: 'SOURCE_STOPPED', detail: storableText(detail) } satisfies SourceFailure)],
    );
    return rowCount === 1;
  }

  /** A person asks for it again, as whom it is then fetched. False when it had not failed. */
  async retry(projectId: string, userId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET source_status = 'waiting', source_since = now(), source_lost = 0, source_error = NULL,
        source_asked_by_id = $2
        WHERE id = $1 AND source_status = 'failed' AND archived_at IS NULL`,
      [projectId, userId],
    );
    return rowCount === 1;
  }
}

/**
 * Fetches whose worker is gone, or has begun a new life since: they wait again, or have failed once that happened too
 * often.
 */
export async function settleOrphanedFetches(tx: Tx): Promise<string[]> {
  const lost: SourceFailure = {
    code: 'WORKER_LOST',
    detail:
      'The worker that fetched it stopped answering, more than once. Nothing half-fetched was kept; try again, and look at the worker’s log if it happens again.',
  };
  const { rows } = await tx.query<Pick<ProjectRow, 'id'>>(
    `UPDATE project p SET source_lost = p.source_lost + 1, source_since = now(), source_worker_id = NULL,
      source_worker_life = NULL, source_progress = NULL,
       source_status = CASE WHEN p.source_lost + 1 >= $1 THEN 'failed' ELSE 'waiting' END,
       source_error = CASE WHEN p.source_lost + 1 >= $1 THEN $2::json END
     WHERE p.source_status = 'fetching'
       AND NOT EXISTS (SELECT FROM worker w WHERE w.id = p.source_worker_id AND w.stopped_at IS NULL AND w.life
         IS NOT DISTINCT FROM p.source_worker_life)
     RETURNING p.id`,
    [MAX_LOST_WORKERS, JSON.stringify(lost)],
  );
  return rows.map(({ id }) => id);
}
