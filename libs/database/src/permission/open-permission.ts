import { SYSTEM, type NewEvent, type Permission, type PermissionOutcome } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';

export interface NewPermission {
  id: string;
  sessionId: string;
  turnId: string;
  kind: Permission['kind'];
  toolUseId: string;
  tool: string;
  /** Masked already. */
  input: unknown;
  reason: string;
  pattern: string | null;
  expiresAt?: Date | null;
}

/** Stores a question that waits for a person. Call it in the transition that also writes `permission:request`. */
export async function insertPermission(tx: Tx, permission: NewPermission): Promise<void> {
  const { id, sessionId, turnId, kind, toolUseId, tool, input, reason, pattern, expiresAt } = permission;
  await tx.query(
    `INSERT INTO permission (id, session_id, turn_id, kind, tool_use_id, tool, input, reason, pattern, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, sessionId, turnId, kind, toolUseId, storableText(tool), JSON.stringify(input ?? null), storableText(reason), pattern === null ? null : storableText(pattern), expiresAt ?? null],
  );
}

/**
 * Ends open permissions of a turn without a person: all of them, or those of `permissionIds`. Answers the
 * `permission:resolve` events that the same transaction has to write, for those that were still open.
 */
export async function closePermissions(
  tx: Tx,
  turnId: string,
  outcome: Extract<PermissionOutcome, 'expired' | 'run_ended' | 'denied'>,
  { permissionIds, reason }: { permissionIds?: string[]; reason?: string } = {},
): Promise<NewEvent[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'close_permissions',
    text: `UPDATE permission SET outcome = $2, resolved_reason = $4, resolved_at = now()
     WHERE turn_id = $1 AND outcome IS NULL AND ($3::text[] IS NULL OR id = ANY($3)) RETURNING id`,
    values: [turnId, outcome, permissionIds ?? null, reason === undefined ? null : storableText(reason)],
  });
  return rows
    .map(({ id }) => id)
    .sort()
    .map((permissionId) => ({ kind: 'permission:resolve', turn: turnId, originator: SYSTEM, payload: { permissionId, outcome, ...(reason === undefined ? {} : { reason }) } }));
}
