import type { Session, SessionStatus } from '@chirality/contracts';
import { knownCost, normalizeMoney } from '@chirality/domain';
import type { ViewedSessionRow } from './session.sql';

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
    sharedWorkspaceId: row.shared_workspace_id,
    harness: row.harness,
    visibility: row.visibility,
    projectVisibility: row.project_visibility,
    options: row.options,
    status: statusOf(row),
    claudeSessionId: row.claude_session_id,
    bootFingerprint: row.boot_fingerprint,
    bootedAt: row.booted_at?.toISOString() ?? null,
    activeTurnId: row.active_turn_id,
    baseNotice: row.base_notice,
    startedBy: { identityClass: row.started_by_class, tokenName: row.started_by_token },
    unstored:
      row.unstored_since && row.unstored_reason
        ? { since: row.unstored_since.toISOString(), reason: row.unstored_reason }
        : null,
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
