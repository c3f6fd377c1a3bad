import type { ProjectVisibility, SessionStatus, TurnKind, Visibility } from '@chirality/contracts';
import type { Database } from '../connection/database';
import type { ProjectRow, SessionRow, SharedWorkspaceRow, TurnRow, UserRow } from '../generated/rows';

/** A session that works in a shared workspace; who may see it is for the policy to say. */
interface SharingSession {
  id: string;
  title: string;
  teamId: string;
  projectId: string;
  projectVisibility: ProjectVisibility;
  ownerId: string;
  ownerName: string;
  visibility: Visibility;
  status: SessionStatus;
  updatedAt: Date;
}

/** The live turn in a shared workspace. */
export interface WorkspaceUse {
  session: SharingSession;
  turn: { id: string; kind: TurnKind; author: { userId: string; name: string }; since: Date };
}

interface SharedWorkspaceView {
  id: string;
  branch: string;
  /** Those that are not archived, latest change first. */
  sessions: SharingSession[];
  use: WorkspaceUse | null;
}

/** A shared workspace that a turn is live in. */
interface UsedWorkspace {
  id: string;
  branch: string;
  use: WorkspaceUse;
}

type SharingRow = Pick<
  SessionRow,
  'id' | 'title' | 'team_id' | 'project_id' | 'owner_id' | 'visibility' | 'updated_at' | 'archived_at'
> & {
  owner_name: UserRow['name'];
  project_visibility: ProjectRow['visibility'];
  workspace_id: SharedWorkspaceRow['id'];
  branch: SharedWorkspaceRow['branch'];
  turn_id: TurnRow['id'] | null;
  turn_kind: TurnRow['kind'] | null;
  turn_status: TurnRow['status'] | null;
  author_id: TurnRow['author_id'] | null;
  author_name: TurnRow['author_name'] | null;
  since: Date | null;
};

/** More sessions than these are not listed. */
const MAX_SESSIONS = 200;

const COLUMNS = `s.id, s.title, s.team_id, s.project_id, s.owner_id, s.visibility, s.updated_at,
  coalesce(s.deleted_at, p.deleted_at, s.archived_at, p.archived_at) AS archived_at, owner.name AS owner_name, p.visibility AS project_visibility,
  w.id AS workspace_id, w.branch, t.id AS turn_id, t.kind AS turn_kind, t.status AS turn_status, t.author_id,
  t.author_name, coalesce(t.started_at, t.queued_at) AS since`;
const SHARING = `SELECT ${COLUMNS}
FROM session asking JOIN shared_workspace w ON w.id = asking.shared_workspace_id
JOIN session s ON s.shared_workspace_id = w.id JOIN project p ON p.id = s.project_id
JOIN "user" owner ON owner.id = s.owner_id LEFT JOIN turn t ON t.active_session_id = s.id
WHERE asking.id = $1`;
const USED = `SELECT ${COLUMNS}
FROM turn t JOIN session s ON s.id = t.active_session_id JOIN shared_workspace w ON w.id = t.shared_workspace_id
JOIN project p ON p.id = s.project_id JOIN "user" owner ON owner.id = s.owner_id`;

/** Workspaces that several sessions share. */
export class SharedWorkspaceRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** The one that the session works in, with everything in it; null for a session that has its own files. */
  async findOf(sessionId: string): Promise<SharedWorkspaceView | null> {
    const { rows } = await this.database.pool.query<SharingRow>(
      `${SHARING} AND (s.id = $1 OR (s.archived_at IS NULL AND s.deleted_at IS NULL) OR t.id IS NOT NULL)
       ORDER BY (s.id = $1) DESC, (t.id IS NOT NULL) DESC, s.updated_at DESC, s.id LIMIT ${MAX_SESSIONS}`,
      [sessionId],
    );
    const [first] = rows;
    if (!first) return null;
    const listed = rows.filter(({ archived_at: archivedAt }) => archivedAt === null);
    return {
      id: first.workspace_id,
      branch: first.branch,
      sessions: listed.map(sessionFromRow),
      use: rows.map(useFromRow).find((use) => use !== null) ?? null,
    };
  }

  /** The live turn of another session in the same workspace; null where there is none. */
  async findUseByOthers(sessionId: string): Promise<WorkspaceUse | null> {
    const { rows } = await this.database.pool.query<SharingRow>(`${SHARING} AND s.id <> $1 AND t.id IS NOT NULL`, [
      sessionId,
    ]);
    return rows[0] ? useFromRow(rows[0]) : null;
  }

  /** Those of these workspaces that a turn is live in. */
  async findUsed(sharedWorkspaceIds: readonly string[]): Promise<UsedWorkspace[]> {
    if (sharedWorkspaceIds.length === 0) return [];
    const { rows } = await this.database.pool.query<SharingRow>(`${USED} WHERE t.shared_workspace_id = ANY($1)`, [
      sharedWorkspaceIds,
    ]);
    return rows.flatMap(usedFromRow);
  }

  /** Those of these teams that a turn is live in, the one that began first first. */
  async listUsed(teamIds: readonly string[]): Promise<UsedWorkspace[]> {
    const { rows } = await this.database.pool.query<SharingRow>(
      `${USED} WHERE t.active_session_id IS NOT NULL AND t.shared_workspace_id IS NOT NULL AND t.team_id = ANY($1)
       ORDER BY since, t.id LIMIT ${MAX_SESSIONS}`,
      [teamIds],
    );
    return rows.flatMap(usedFromRow);
  }

  /**
   * A person changed the files in that session: the others learn of it with their next turn. Call it before what they
   * did is stored.
   */
  async noteAct({ sharedWorkspaceId, sessionId }: { sharedWorkspaceId: string; sessionId: string }): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO shared_workspace_act (shared_workspace_id, session_id, fence)
       SELECT w.id, $2, w.fence FROM shared_workspace w WHERE w.id = $1
       ON CONFLICT (shared_workspace_id, session_id) DO UPDATE SET fence = EXCLUDED.fence`,
      [sharedWorkspaceId, sessionId],
    );
  }
}

function usedFromRow(row: SharingRow): UsedWorkspace[] {
  const use = useFromRow(row);
  return use ? [{ id: row.workspace_id, branch: row.branch, use }] : [];
}

function sessionFromRow(row: SharingRow): SharingSession {
  return {
    id: row.id,
    title: row.title,
    teamId: row.team_id,
    projectId: row.project_id,
    projectVisibility: row.project_visibility,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    visibility: row.visibility,
    status: statusOf(row),
    updatedAt: row.updated_at,
  };
}

function statusOf(row: SharingRow): SessionStatus {
  if (row.archived_at) return 'archived';
  if (row.turn_status === null) return 'idle';
  return row.turn_status === 'awaiting_permission' ? 'waiting' : 'running';
}

function useFromRow(row: SharingRow): WorkspaceUse | null {
  const { turn_id: id, turn_kind: kind, author_id: userId, author_name: name, since } = row;
  if (id === null || kind === null || userId === null || name === null || since === null) return null;
  return { session: sessionFromRow(row), turn: { id, kind, author: { userId, name }, since } };
}
