import { DELETED_KEPT_DAYS, type Deletion, type Page } from '@chirality/contracts';
import type { Database } from '../connection/database';
import { decodeCursor, encodeCursor } from '../connection/page-cursor';
import { storableText } from '../connection/storable-text';
import type { SessionRow } from '../generated/rows';
import { PROJECT_ACCESS } from '../project/project-access.sql';
import { UnpushedWorkRepository } from '../session/unpushed-work.repository';

type Deleter = { userId: string; name: string };
type DeletionRow = Pick<SessionRow, 'id' | 'team_id' | 'project_id'> & {
  kind: Deletion['kind'];
  name: string;
  project_name: string;
  deleted_at: Date;
  deleted_by_id: string | null;
  deleted_by_name: string | null;
};

/**
 * What the person `$1` may restore, a row each: their own sessions while they may write in the project, shared ones and
 * projects where they manage it, and projects that they made. What went with its project comes back with that.
 */
const RESTORABLE = `(
  SELECT 'session' AS kind, s.id, s.team_id, s.project_id, s.title AS name, p.name AS project_name, s.deleted_at,
    s.deleted_by_id, s.deleted_by_name
  FROM session s JOIN project p ON p.id = s.project_id
    JOIN ${PROJECT_ACCESS} access ON access.project_id = p.id AND access.user_id = $1
  WHERE s.deleted_at IS NOT NULL AND s.purged_at IS NULL AND p.deleted_at IS NULL
    AND ((s.owner_id = $1 AND access.role IN ('manage', 'write')) OR (s.visibility <> 'private' AND access.role = 'manage'))
  UNION ALL
  SELECT 'project', p.id, p.team_id, p.id, p.name, p.name, p.deleted_at, p.deleted_by_id, p.deleted_by_name
  FROM project p JOIN ${PROJECT_ACCESS} access ON access.project_id = p.id AND access.user_id = $1
  WHERE p.deleted_at IS NOT NULL AND p.purged_at IS NULL
    AND (access.role = 'manage' OR (p.created_by_id = $1 AND access.role = 'write'))
)`;

/** Sessions and projects that were deleted: for a while they can be restored, and exist nowhere else. */
export class DeletionRepository {
  private readonly work: UnpushedWorkRepository;

  constructor(private readonly database: Pick<Database, 'pool'>) {
    this.work = new UnpushedWorkRepository(database);
  }

  /** False where it was deleted before, or a turn of it is live. */
  async deleteSession(sessionId: string, by: Deleter): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE session s SET deleted_at = now(), deleted_by_id = $2, deleted_by_name = $3,
         archived_at = coalesce(archived_at, now())
       WHERE s.id = $1 AND s.deleted_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM turn live WHERE live.active_session_id = s.id)`,
      [sessionId, by.userId, storableText(by.name)],
    );
    return rowCount === 1;
  }

  /** With it everything in it. False where it was deleted before, or a turn in it is live. */
  async deleteProject(projectId: string, by: Deleter): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project p SET deleted_at = now(), deleted_by_id = $2, deleted_by_name = $3,
         archived_at = coalesce(archived_at, now())
       WHERE p.id = $1 AND p.deleted_at IS NULL AND NOT EXISTS (
         SELECT 1 FROM session s JOIN turn live ON live.active_session_id = s.id WHERE s.project_id = p.id)`,
      [projectId, by.userId, storableText(by.name)],
    );
    return rowCount === 1;
  }

  /** What the person may restore of all their teams, the last deleted first. */
  async listForUser(
    userId: string,
    {
      teamId,
      projectId,
      cursor,
      limit,
    }: { teamId?: string | undefined; projectId?: string | undefined; cursor?: string | undefined; limit: number },
  ): Promise<Page<Deletion>> {
    const from = decodeCursor(cursor);
    const { rows } = await this.database.pool.query<DeletionRow>(
      `SELECT * FROM ${RESTORABLE} deleted
       WHERE ($2::text IS NULL OR team_id = $2) AND ($3::text IS NULL OR (kind = 'session' AND project_id = $3))
         AND ($4::timestamptz IS NULL OR (deleted_at, id) < ($4, $5))
       ORDER BY deleted_at DESC, id DESC LIMIT $6`,
      [userId, teamId ?? null, projectId ?? null, from?.at ?? null, from?.id ?? null, limit + 1],
    );
    const data = await this.withWork(rows.slice(0, limit));
    const last = data.at(-1);
    return { data, nextCursor: rows.length > limit && last ? encodeCursor(last.deletedAt, last.id) : null };
  }

  /** What goes and comes with a project: those of its sessions that are not deleted themselves, the latest first. */
  async listSessions(projectId: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<Pick<SessionRow, 'id'>>(
      'SELECT id FROM session WHERE project_id = $1 AND deleted_at IS NULL ORDER BY updated_at DESC LIMIT 500',
      [projectId],
    );
    return rows.map(({ id }) => id);
  }

  /** Null for what the person may not restore. */
  async findForUser(id: string, userId: string): Promise<Deletion | null> {
    const { rows } = await this.database.pool.query<DeletionRow>(`SELECT * FROM ${RESTORABLE} deleted WHERE id = $2`, [
      userId,
      id,
    ]);
    return (await this.withWork(rows))[0] ?? null;
  }

  private async withWork(rows: readonly DeletionRow[]): Promise<Deletion[]> {
    const sessions = rows.filter(({ kind }) => kind === 'session').map(({ id }) => id);
    const work = await this.work.findAll(sessions);
    return rows.map((row) => ({
      kind: row.kind,
      id: row.id,
      teamId: row.team_id,
      projectId: row.project_id,
      name: row.name,
      projectName: row.project_name,
      deletedAt: row.deleted_at.toISOString(),
      deletedBy: { userId: row.deleted_by_id ?? '', name: row.deleted_by_name ?? '' },
      goneAt: new Date(row.deleted_at.getTime() + DELETED_KEPT_DAYS * 86_400_000).toISOString(),
      work: row.kind === 'session' ? (work.get(row.id) ?? null) : null,
    }));
  }
}
