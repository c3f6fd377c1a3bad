import type { Options, PersonaOrigin, Session, SessionStatus, TurnStatus } from '@chirality/contracts';
import { knownCost, normalizeMoney } from '@chirality/domain';

export interface SessionRow {
  id: string;
  team_id: string;
  project_id: string;
  owner_id: string;
  title: string;
  persona: string | null;
  persona_origin: PersonaOrigin | null;
  mode: Session['mode'];
  workspace: Session['workspace'];
  harness: Session['harness'];
  visibility: Session['visibility'];
  options: Options;
  claude_session_id: string | null;
  boot_fingerprint: string | null;
  booted_at: Date | null;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
  last_event_id: string;
  active_turn_id: string | null;
  active_status: TurnStatus | null;
  cost_usd: string;
  unpriced_messages: number;
}

/** The FROM and the columns of a SessionRow, for `session s`. With a project all of its sessions are archived. */
export const SESSION_SELECT = `
SELECT s.id, s.team_id, s.project_id, s.owner_id, s.title, s.persona, s.persona_origin, s.mode, s.workspace, s.harness, s.visibility, s.options,
  s.claude_session_id, s.boot_fingerprint, s.booted_at, s.created_at, s.updated_at, coalesce(s.archived_at, p.archived_at) AS archived_at, c.last_event_id,
  active.id AS active_turn_id, active.status AS active_status,
  spent.cost_usd, spent.unpriced_messages
FROM session s JOIN project p ON p.id = s.project_id JOIN session_cursor c ON c.session_id = s.id LEFT JOIN turn active ON active.active_session_id = s.id
CROSS JOIN LATERAL (SELECT coalesce(sum(t.cost_usd), 0) AS cost_usd, coalesce(sum(t.unpriced_messages), 0)::int AS unpriced_messages FROM turn t WHERE t.session_id = s.id) spent`;

export function sessionFromRow(row: SessionRow): Session {
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

function statusOf(row: SessionRow): SessionStatus {
  if (row.archived_at) return 'archived';
  if (row.active_status === null) return 'idle';
  return row.active_status === 'awaiting_permission' ? 'waiting' : 'running';
}
