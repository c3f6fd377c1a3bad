import type { Permission } from '@chirality/contracts';
import type { Permission as PermissionRecord } from '../generated/client';

export function permissionFromRow(row: PermissionRecord): Permission {
  return {
    id: row.id,
    sessionId: row.sessionId,
    turnId: row.turnId,
    kind: row.kind,
    toolUseId: row.toolUseId,
    tool: row.tool,
    input: JSON.parse(row.input) as unknown,
    reason: row.reason,
    pattern: row.pattern,
    patterns: row.patterns,
    agent: row.agentType === null ? null : { type: row.agentType, task: row.agentTask ?? '' },
    parentToolUseId: row.parentToolUseId,
    proposal: row.proposal,
    status: row.outcome === null ? 'pending' : 'resolved',
    outcome: row.outcome,
    scope: row.scope,
    resolvedBy: row.resolvedById === null ? null : { userId: row.resolvedById, name: row.resolvedByName ?? '' },
    resolvedReason: row.resolvedReason,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}
