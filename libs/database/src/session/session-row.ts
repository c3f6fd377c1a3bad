import type { Session, SessionStatus } from '@chirality/contracts';
import { knownCost, normalizeMoney } from '@chirality/domain';
import type { SessionCursorRow, SessionRow, TurnRow } from '../generated/rows';

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
  | 'harness'
  | 'visibility'
  | 'options'
  | 'claude_session_id'
  | 'boot_fingerprint'
  | 'booted_at'
  | 'created_at'
  | 'updated_at'
  | 'archived_at'
> &
  Pick<SessionCursorRow, 'last_event_id'> &
  Pick<TurnRow, 'cost_usd' | 'unpriced_messages'> & {
    active_turn_id: TurnRow['id'] | null;
    active_status: TurnRow['status'] | null;
  };

/** The FROM and the columns of a ViewedSessionRow, for `session s`. With a project all of its sessions are archived. */
export const SESSION_SELECT = `
SELECT s.id, s.team_id, s.project_id, s.owner_id, s.title, s.persona, s.persona_origin, s.mode, s.workspace, s.harness, s.visibility, s.options,
  s.claude_session_id, s.boot_fingerprint, s.booted_at, s.created_at, s.updated_at, coalesce(s.archived_at, p.archived_at) AS archived_at, c.last_event_id,
  active.id AS active_turn_id, active.status AS active_status,
  spent.cost_usd, spent.unpriced_messages
FROM session s JOIN project p ON p.id = s.project_id JOIN session_cursor c ON c.session_id = s.id LEFT JOIN turn active ON active.active_session_id = s.id
CROSS JOIN LATERAL (SELECT coalesce(sum(t.cost_usd), 0) AS cost_usd, coalesce(sum(t.unpriced_messages), 0)::int AS unpriced_messages FROM turn t WHERE t.session_id = s.id) spent`;

export function sessionFromRow(row: ViewedSessionRow): Session {
  return {
    id: row.id,
    teamId: row.team_id,
    projectId: row.project_id,
    ownerId: row.owner_id,
    title: row.title,
    persona: row.persona,
    personaOrigin: row.persona_origin,
    mode: row.mode,
    workspace: row.workspace,
    harness: row.harness,
    visibility: row.visibility,
    options: row.options,
    status: statusOf(row),
    claudeSessionId: row.claude_session_id,
    bootFingerprint: row.boot_fingerprint,
    bootedAt: row.booted_at?.toISOString() ?? null,
    activeTurnId: row.active_turn_id,
    lastEventId: Number(row.last_event_id),
    ...knownCost(normalizeMoney(row.cost_usd), row.unpriced_messages),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function statusOf(row: ViewedSessionRow): SessionStatus {
  if (row.archived_at) return 'archived';
  if (row.active_status === null) return 'idle';
  return row.active_status === 'awaiting_permission' ? 'waiting' : 'running';
}
