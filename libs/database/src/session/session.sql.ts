import type { Tx } from '../connection/database';
import type { ProjectRow, SessionCursorRow, SessionRow, TurnRow } from '../generated/rows';
import { projectRoleSql } from '../project/project-access.sql';

/** A session with what is looked up beside it: its log's end, its live turn, and what all of its turns cost. */
export type ViewedSessionRow = Pick<
  SessionRow,
  | 'id'
  | 'team_id'
  | 'project_id'
  | 'owner_id'
  | 'title'
  | 'persona'
  | 'persona_origin'
  | 'mode'
  | 'workspace'
  | 'shared_workspace_id'
  | 'harness'
  | 'visibility'
  | 'options'
  | 'base_notice'
  | 'started_by_class'
  | 'started_by_token'
  | 'unstored_since'
  | 'unstored_reason'
  | 'claude_session_id'
  | 'boot_fingerprint'
  | 'booted_at'
  | 'created_at'
  | 'updated_at'
  | 'archived_at'
> &
  Pick<SessionCursorRow, 'last_event_id'> &
  Pick<TurnRow, 'cost_usd' | 'unpriced_messages'> & {
    project_visibility: ProjectRow['visibility'];
    active_turn_id: TurnRow['id'] | null;
    active_status: TurnRow['status'] | null;
  };

/** Of `session s` and its `project p`: for people it exists. With a project all of its sessions are deleted. */
export const NOT_DELETED = 's.deleted_at IS NULL AND p.deleted_at IS NULL';

/** The FROM and the columns of a ViewedSessionRow, for `session s`. With a project all of its sessions are archived. */
export const SESSION_SELECT = `
SELECT s.id, s.team_id, s.project_id, s.owner_id, s.title, s.persona, s.persona_origin, s.mode, s.workspace, s.shared_workspace_id, s.harness,
  s.visibility, p.visibility AS project_visibility, s.options, s.base_notice, s.started_by_class, s.started_by_token,
  coalesce(shared.unstored_since, s.unstored_since) AS unstored_since,
  coalesce(shared.unstored_reason, s.unstored_reason) AS unstored_reason,
  s.claude_session_id, s.boot_fingerprint, s.booted_at, s.created_at, s.updated_at, coalesce(s.archived_at,
    p.archived_at) AS archived_at, c.last_event_id,
  active.id AS active_turn_id, active.status AS active_status,
  spent.cost_usd, spent.unpriced_messages
FROM session s JOIN project p ON p.id = s.project_id JOIN session_cursor c ON c.session_id = s.id
LEFT JOIN shared_workspace shared ON shared.id = s.shared_workspace_id LEFT JOIN turn active
  ON active.active_session_id = s.id
CROSS JOIN LATERAL (SELECT coalesce(sum(t.cost_usd), 0) AS cost_usd, coalesce(sum(t.unpriced_messages),
  0)::int AS unpriced_messages FROM turn t WHERE t.session_id = s.id) spent`;

/**
 * Whether a list shows that person the session: `session s`, its `project p`, their `membership m` of its team and
 * their `project_member pm`, which may be missing. `userId` is an expression.
 */
export function maySeeSql(userId: string): string {
  return `${projectRoleSql('p', 'm', 'pm')} IS NOT NULL AND (s.owner_id = ${userId} OR s.visibility <> 'private')
    AND ${NOT_DELETED} AND s.awaits_message_since IS NULL`;
}

interface Seen {
  archived: boolean;
  projectId: string | null;
  /** A pattern of LIKE. */
  title: string | null;
  /** The place below which the page begins. */
  from: { at: Date; id: string } | null;
  liveStatus: TurnRow['status'] | null;
  limit: number;
  /** What a token narrows the list to; null where it does not. */
  teamId: string | null;
  projects: readonly string[] | null;
  sessions: readonly string[] | null;
}

/** What the person may see over all their teams, latest change first. */
export async function selectSeenBy(
  tx: Tx,
  userId: string,
  { archived, projectId, title, from, liveStatus, limit, teamId, projects, sessions }: Seen,
): Promise<ViewedSessionRow[]> {
  // Literals, so that the partial index of what is not archived serves the list that is asked for all day.
  const isListed = archived
    ? '(s.archived_at IS NOT NULL OR p.archived_at IS NOT NULL)'
    : 's.archived_at IS NULL AND p.archived_at IS NULL';
  // A page's sessions are looked up one by one (LIMIT 1 keeps the planner to it): joined, a narrow table such as
  // session_cursor seems cheaper to read as a whole, which grows with the installation.
  const { rows } = await tx.query<ViewedSessionRow>(
    `SELECT listed.* FROM (
         SELECT seen.id AS listed_id FROM membership m CROSS JOIN LATERAL (
           SELECT s.id, s.updated_at FROM session s JOIN project p ON p.id = s.project_id
             LEFT JOIN project_member pm ON pm.project_id = p.id AND pm.user_id = $1
           WHERE s.team_id = m.team_id AND ${maySeeSql('$1')} AND ${isListed}
             AND ($2::text IS NULL OR s.project_id = $2)
             AND ($3::text IS NULL OR s.title ILIKE $3)
             AND ($4::timestamptz IS NULL OR (s.updated_at, s.id) < ($4, $5))
             AND ($8::text[] IS NULL OR s.project_id = ANY($8)) AND ($9::text[] IS NULL OR s.id = ANY($9))
             AND ($7::text IS NULL OR EXISTS (SELECT 1 FROM turn t WHERE t.active_session_id = s.id AND t.status = $7))
           ORDER BY s.updated_at DESC, s.id DESC LIMIT $6
         ) seen WHERE m.user_id = $1 AND ($10::text IS NULL OR m.team_id = $10)
         ORDER BY seen.updated_at DESC, seen.id DESC LIMIT $6
       ) page CROSS JOIN LATERAL (${SESSION_SELECT} WHERE s.id = page.listed_id LIMIT 1) listed
       ORDER BY listed.updated_at DESC, listed.id DESC`,
    [userId, projectId, title, from?.at ?? null, from?.id ?? null, limit, liveStatus, projects, sessions, teamId],
  );
  return rows;
}
