import type {
  OptionLimits,
  Options,
  Page,
  Project,
  ProjectRole,
  ProjectSource,
  ProjectVisibility,
  SourceReport,
  SourceState,
} from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { columnsOf } from '../connection/columns-of';
import type { Database } from '../connection/database';
import { decodeCursor, encodeCursor } from '../connection/page-cursor';
import { storableText } from '../connection/storable-text';
import type { Project as StoredProject } from '../generated/client';
import { projectRoleSql } from './project-access.sql';

const COLUMNS = columnsOf('Project');
const JOINED_COLUMNS = columnsOf('Project', { of: 'p' });
/** The projects of the teams of the person `$2`, and what they may do in each. */
const HAD = `project p JOIN membership m ON m.team_id = p.team_id AND m.user_id = $2
  LEFT JOIN project_member pm ON pm.project_id = p.id AND pm.user_id = $2`;
const ROLE = projectRoleSql('p', 'm', 'pm');

export type ProjectChanges = {
  name?: string;
  options?: Options;
  limits?: OptionLimits;
  strict?: boolean;
  autoApprove?: { by: { userId: string; name: string } } | null;
  refreshBeforeSession?: boolean;
  branchPattern?: string;
};

type ProjectDefaults = {
  project: Options;
  team: Options;
  limits: { project: OptionLimits; team: OptionLimits };
  strict: boolean;
  sourceStatus: SourceState['status'];
};

const FIRST_STATUS: Record<ProjectSource['kind'], SourceState['status']> = {
  empty: 'ready',
  directory: 'ready',
  git: 'waiting',
  upload: 'awaiting_upload',
};

/** What a project is beside its wire form; what a person may do in it is not the project's. */
export type ProjectRecord = Omit<Project, 'role'> & { createdById: string; bundleKey: string | null };

export class ProjectRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** A project whose files have to come from elsewhere waits for them. One of its members has its maker as manager. */
  async create(project: {
    teamId: string;
    name: string;
    source: ProjectSource;
    createdById: string;
    visibility?: ProjectVisibility;
  }): Promise<ProjectRecord> {
    const { rows } = await this.database.pool.query<StoredProject>(
      `WITH made AS (
         INSERT INTO project (id, team_id, name, source, created_by_id, source_status, visibility)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *
       ), named AS (
         INSERT INTO project_member (project_id, team_id, user_id, role, added_by_id)
         SELECT id, team_id, created_by_id, 'manage', created_by_id FROM made WHERE visibility = 'members'
       ) SELECT ${COLUMNS} FROM made`,
      [
        newId('project'),
        project.teamId,
        storableText(project.name),
        JSON.stringify(project.source),
        project.createdById,
        FIRST_STATUS[project.source.kind],
        project.visibility ?? 'team',
      ],
    );
    return projectFromRow(rows[0] as StoredProject);
  }

  /**
   * Null for an unknown id, an archived project (or, when `archived`, one that is not), a deleted one, and one that the
   * person does not have.
   */
  async findForUser(projectId: string, userId: string, archived = false): Promise<ProjectRecord | null> {
    const { rows } = await this.database.pool.query<StoredProject>(
      `SELECT ${JOINED_COLUMNS} FROM ${HAD} WHERE p.id = $1 AND (p.archived_at IS NOT NULL) = $3
         AND p.deleted_at IS NULL AND ${ROLE} IS NOT NULL`,
      [projectId, userId, archived],
    );
    return rows[0] ? projectFromRow(rows[0]) : null;
  }

  /** For workers, which act for no viewer. */
  async find(projectId: string): Promise<ProjectRecord | null> {
    const row = await this.database.prisma.project.findUnique({ where: { id: projectId } });
    return row && projectFromRow(row);
  }

  /** Projects of the person's teams, or of one of them; latest first. */
  async listForUser(
    userId: string,
    {
      teamId,
      archived = false,
      cursor,
      limit,
      ids,
    }: { teamId?: string; archived?: boolean; cursor?: string; limit: number; ids?: readonly string[] | undefined },
  ): Promise<Page<ProjectRecord & { role: ProjectRole }>> {
    const from = decodeCursor(cursor);
    const { rows } = await this.database.pool.query<StoredProject & { role: ProjectRole }>(
      `SELECT ${JOINED_COLUMNS}, ${ROLE} AS role FROM ${HAD}
       WHERE ${ROLE} IS NOT NULL AND p.deleted_at IS NULL AND (p.archived_at IS NOT NULL) = $6 AND ($1::text IS NULL OR p.team_id = $1)
         AND ($3::timestamptz IS NULL OR (p.created_at, p.id) < ($3, $4))
         AND ($7::text[] IS NULL OR p.id = ANY($7))
       ORDER BY p.created_at DESC, p.id DESC LIMIT $5`,
      [teamId ?? null, userId, from?.at ?? null, from?.id ?? null, limit + 1, archived, ids ?? null],
    );
    const data = rows.slice(0, limit).map((row) => ({ ...projectFromRow(row), role: row.role }));
    const last = data.at(-1);
    return { data, nextCursor: rows.length > limit && last ? encodeCursor(last.createdAt, last.id) : null };
  }

  /**
   * What is not named stays. An auto-approval that is on already keeps its beginning. Null for a project that is not
   * there, and when it would be strict and set to auto-approve at once, also by two changes at the same time.
   */
  async update(
    projectId: string,
    { name, options, limits, strict, autoApprove, refreshBeforeSession, branchPattern }: ProjectChanges,
  ): Promise<ProjectRecord | null> {
    const { rows } = await this.database.pool.query<StoredProject>(
      `UPDATE project SET name = coalesce($2, name), options = coalesce($3, options), strict = coalesce($4, strict),
         auto_approve_at = CASE WHEN NOT $5 THEN auto_approve_at WHEN $6::text
           IS NOT NULL THEN coalesce(auto_approve_at, now()) END,
         auto_approve_by_id = CASE WHEN $5 AND ($6::text IS NULL OR auto_approve_at IS NULL) THEN $6
           ELSE auto_approve_by_id END,
         auto_approve_by_name = CASE WHEN $5 AND ($6::text IS NULL OR auto_approve_at IS NULL) THEN $7
           ELSE auto_approve_by_name END,
         limits = coalesce($8, limits), refresh_before_session = coalesce($9, refresh_before_session),
         branch_pattern = coalesce($10, branch_pattern), updated_at = now()
       WHERE id = $1 AND NOT (coalesce($4, strict) AND CASE WHEN $5 THEN $6::text IS NOT NULL ELSE auto_approve_at
         IS NOT NULL END)
       RETURNING ${COLUMNS}`,
      [
        projectId,
        name === undefined ? null : storableText(name),
        options === undefined ? null : JSON.stringify(options),
        strict ?? null,
        autoApprove !== undefined,
        autoApprove?.by.userId ?? null,
        autoApprove ? storableText(autoApprove.by.name) : null,
        limits === undefined ? null : JSON.stringify(limits),
        refreshBeforeSession ?? null,
        branchPattern === undefined ? null : storableText(branchPattern),
      ],
    );
    return rows[0] ? projectFromRow(rows[0]) : null;
  }

  /**
   * What sessions of the project start from: its own defaults, its team's, the limits of both, whether it is strict
   * whatever they say, and whether its files are here.
   */
  async findDefaults(projectId: string): Promise<ProjectDefaults> {
    const { rows } = await this.database.pool.query<ProjectDefaults>({
      name: 'find_defaults',
      text: `SELECT p.options AS project, t.options AS team, json_build_object('project', p.limits, 'team',
        t.limits) AS limits, p.strict, p.source_status AS "sourceStatus"
        FROM project p JOIN team t ON t.id = p.team_id WHERE p.id = $1`,
      values: [projectId],
    });
    return (
      rows[0] ?? { project: {}, team: {}, limits: { project: {}, team: {} }, strict: false, sourceStatus: 'ready' }
    );
  }

  /** Its sessions and their history stay. False when it was archived before. */
  async archive(projectId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      'UPDATE project SET archived_at = now() WHERE id = $1 AND archived_at IS NULL',
      [projectId],
    );
    return rowCount === 1;
  }

  /** Its sessions are what they were, also when it was deleted. False when it is not archived, or gone for good. */
  async restore(projectId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE project SET archived_at = NULL, deleted_at = NULL, deleted_by_id = NULL, deleted_by_name = NULL
       WHERE id = $1 AND archived_at IS NOT NULL AND purged_at IS NULL`,
      [projectId],
    );
    return rowCount === 1;
  }

  /** Moves the pointer to the bundle of the project's own branch, if it still is `expected`. */
  async moveBundle(projectId: string, expected: string | null, key: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      'UPDATE project SET bundle_key = $3, updated_at = now() WHERE id = $1 AND bundle_key IS NOT DISTINCT FROM $2',
      [projectId, expected, key],
    );
    return rowCount === 1;
  }
}

function projectFromRow(row: StoredProject): ProjectRecord {
  return {
    id: row.id,
    teamId: row.teamId,
    name: row.name,
    visibility: row.visibility,
    source: row.source,
    sourceState: {
      status: row.sourceStatus,
      since: row.sourceSince.toISOString(),
      progress: row.sourceProgress,
      error: row.sourceError,
    },
    baseCommit: row.baseCommit,
    baseBranch: row.baseBranch,
    report: reportOf(row.sourceReport),
    refresh: refreshOf(row),
    behind: behindOf(row),
    refreshBeforeSession: row.refreshBeforeSession,
    branchPattern: row.branchPattern,
    createdById: row.createdById,
    bundleKey: row.bundleKey,
    options: row.options,
    limits: row.limits,
    strict: row.strict,
    autoApprove: row.autoApproveAt && {
      since: row.autoApproveAt.toISOString(),
      by: { userId: row.autoApproveById ?? '', name: row.autoApproveByName ?? '' },
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function refreshOf(row: StoredProject): Project['refresh'] {
  if (row.source.kind !== 'git') return null;
  return {
    status: row.refreshStatus,
    since: row.refreshSince.toISOString(),
    progress: row.refreshProgress,
    error: row.refreshError,
    note: row.refreshNote,
    refreshedAt: row.refreshedAt?.toISOString() ?? null,
    remote:
      row.remoteCommit === null || row.remoteSeenAt === null
        ? null
        : { commit: row.remoteCommit, behind: row.remoteBehind, at: row.remoteSeenAt.toISOString() },
  };
}

/** By how many commits the files are behind the remote's branch, as it was last seen; null where that is not known. */
function behindOf(row: StoredProject): number | null {
  if (row.source.kind !== 'git') return null;
  if (row.remoteCommit !== null) return row.remoteBehind;
  return row.refreshStatus === 'idle' && row.refreshedAt !== null ? 0 : null;
}

/** What was written before a part of it was looked for has null there. */
function reportOf(report: Partial<SourceReport> | null): SourceReport | null {
  return report && { submodules: null, lfs: null, leftOut: null, ...report };
}
