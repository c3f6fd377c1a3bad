import type { ProjectWork, SessionWithWork, UnpushedWork } from '@chirality/contracts';
import { mayHaveUnpushedWork, unpushedWork } from '@chirality/domain';
import type { Database } from '../connection/database';
import type { SessionRow } from '../generated/rows';
import { LAST_RUN_IN_WORKSPACE } from '../shared-workspace/shared-workspace.sql';
import { LAST_RUN_FENCE } from './last-run-fence';

/** Sessions of a project whose work is looked at, the latest changes first. */
const MAX_LOOKED_AT = 500;

type WorkRow = Pick<SessionRow, 'id' | 'title' | 'unpushed' | 'unpushed_at'> & {
  pushed: string[];
  is_live: boolean;
  is_unstored: boolean;
  is_untouched: boolean;
};

/** Of `session s`. The third part of a state's key is the fence of the newest attempt whose work is in it. */
const WORK = `SELECT s.id, s.title, s.owner_id, s.visibility, s.updated_at, files.unpushed, files.unpushed_at,
  (SELECT coalesce(array_agg(p.commit), '{}') FROM session_push p JOIN session pusher ON pusher.id = p.session_id
    WHERE (p.session_id = s.id OR pusher.shared_workspace_id = s.shared_workspace_id) AND p.status = 'done'
    AND p.commit IS NOT NULL) AS pushed,
  EXISTS (SELECT 1 FROM turn live WHERE live.active_session_id = s.id OR (live.active_session_id IS NOT NULL
    AND live.shared_workspace_id = s.shared_workspace_id)) AS is_live,
  (files.has_unstored_act OR files.unstored_reason IS NOT DISTINCT FROM 'failed'
    OR coalesce(files.ran > coalesce(nullif(split_part(files.state_key, '/', 3), '')::bigint, -1), false)) AS is_unstored,
  files.state_version = 0 AND files.ran IS NULL AS is_untouched
FROM session s CROSS JOIN LATERAL (
  SELECT s.unpushed, s.unpushed_at, s.has_unstored_act, s.unstored_reason, s.state_key, s.state_version,
    ${LAST_RUN_FENCE} AS ran WHERE s.shared_workspace_id IS NULL
  UNION ALL
  SELECT w.unpushed, w.unpushed_at, w.has_unstored_act, w.unstored_reason, w.state_key, w.state_version,
    ${LAST_RUN_IN_WORKSPACE} FROM shared_workspace w WHERE w.id = s.shared_workspace_id
) files`;

/** What exists only in sessions, from what was recorded when they were stored: no workspace is looked at. */
export class UnpushedWorkRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Null for an unknown id. */
  async find(sessionId: string): Promise<UnpushedWork | null> {
    const { rows } = await this.database.pool.query<WorkRow>(`${WORK} WHERE s.id = $1`, [sessionId]);
    return rows[0] ? workOf(rows[0]) : null;
  }

  /** The same for several, by their ids. */
  async findAll(sessionIds: readonly string[]): Promise<Map<string, UnpushedWork>> {
    const { rows } = await this.database.pool.query<WorkRow>(`${WORK} WHERE s.id = ANY($1)`, [sessionIds]);
    return new Map(rows.map((row) => [row.id, workOf(row)]));
  }

  /**
   * The sessions of a project, archived ones too, that have such work or of which it is not known; of private ones of
   * other people only how many. `reader` may read what is shared in the project.
   */
  async listInProject(projectId: string, readerId: string): Promise<ProjectWork> {
    const { rows } = await this.database.pool.query<WorkRow & { is_hidden: boolean }>(
      `SELECT work.*, work.visibility = 'private' AND work.owner_id <> $2 AS is_hidden
       FROM (${WORK} WHERE s.project_id = $1 AND s.deleted_at IS NULL) work ORDER BY work.updated_at DESC, work.id DESC LIMIT $3`,
      [projectId, readerId, MAX_LOOKED_AT + 1],
    );
    const withWork = rows.slice(0, MAX_LOOKED_AT).flatMap((row) => {
      const work = workOf(row);
      return mayHaveUnpushedWork(work) ? [{ row, work }] : [];
    });
    const sessions = withWork
      .filter(({ row }) => !row.is_hidden)
      .map(({ row, work }): SessionWithWork => ({ sessionId: row.id, title: row.title, work }));
    return { sessions, hidden: withWork.length - sessions.length, hasMore: rows.length > MAX_LOOKED_AT };
  }

  /** In how many of those private sessions of a member, which no one could open without them, there is such work. */
  async countPrivateOf(teamId: string, userId: string): Promise<number> {
    const { rows } = await this.database.pool.query<WorkRow>(
      `${WORK} WHERE s.team_id = $1 AND s.owner_id = $2 AND s.visibility = 'private' AND s.archived_at IS NULL`,
      [teamId, userId],
    );
    return rows.filter((row) => mayHaveUnpushedWork(workOf(row))).length;
  }
}

function workOf(row: WorkRow): UnpushedWork {
  return unpushedWork({
    recorded: row.unpushed,
    at: row.unpushed_at?.toISOString() ?? null,
    pushed: row.pushed,
    changedBy: row.is_live ? 'turn_running' : row.is_unstored ? 'not_stored' : null,
    isUntouched: row.is_untouched,
  });
}
