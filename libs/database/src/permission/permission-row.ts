import type { Permission, PermissionOutcome } from '@chirality/contracts';

export interface PermissionRow {
  id: string;
  session_id: string;
  turn_id: string;
  kind: Permission['kind'];
  tool_use_id: string;
  tool: string;
  input: string;
  reason: string;
  pattern: string | null;
  patterns: string[];
  agent_type: string | null;
  agent_task: string | null;
  parent_tool_use_id: string | null;
  outcome: PermissionOutcome | null;
  scope: Permission['scope'];
  answer: string | null;
  resolved_by_id: string | null;
  resolved_by_name: string | null;
  resolved_reason: string | null;
  created_at: Date;
  expires_at: Date | null;
  resolved_at: Date | null;
}

export function permissionFromRow(row: PermissionRow): Permission {
  return {
    id: row.id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    kind: row.kind,
    toolUseId: row.tool_use_id,
    tool: row.tool,
    input: JSON.parse(row.input) as unknown,
    reason: row.reason,
    pattern: row.pattern,
    patterns: row.patterns,
    agent: row.agent_type === null ? null : { type: row.agent_type, task: row.agent_task ?? '' },
    parentToolUseId: row.parent_tool_use_id,
    status: row.outcome === null ? 'pending' : 'resolved',
    outcome: row.outcome,
    scope: row.scope,
    resolvedBy: row.resolved_by_id === null ? null : { userId: row.resolved_by_id, name: row.resolved_by_name ?? '' },
    resolvedReason: row.resolved_reason,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
  };
}
