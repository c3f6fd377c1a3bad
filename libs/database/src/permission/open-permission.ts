import {
  SYSTEM,
  type NewEvent,
  type Originator,
  type Permission,
  type PermissionAgent,
  type PermissionOutcome,
  type PermissionPolicy,
  type PushProposal,
} from '@chirality/contracts';
import type { Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { PermissionRow, TurnRow } from '../generated/rows';

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
  /** The rules that `pattern` stands for; without them, it alone. */
  patterns?: readonly string[];
  agent?: PermissionAgent | null;
  parentToolUseId?: string | null;
  /** Masked already. */
  proposal?: PushProposal | null;
  expiresAt?: Date | null;
}

/** Stores a question that waits for a person. Call it in the transition that also writes `permission:request`. */
export async function insertPermission(tx: Tx, permission: NewPermission): Promise<void> {
  const { id, sessionId, turnId, kind, toolUseId, tool, input, reason, pattern, agent } = permission;
  const { parentToolUseId, proposal, expiresAt } = permission;
  const patterns = permission.patterns ?? (pattern === null ? [] : [pattern]);
  const text = (value: string | null | undefined) =>
    value === null || value === undefined ? null : storableText(value);
  await tx.query(
    `INSERT INTO permission (id, session_id, turn_id, kind, tool_use_id, tool, input, reason, pattern, patterns,
      agent_type, agent_task, parent_tool_use_id, expires_at, proposal)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      ...[
        id,
        sessionId,
        turnId,
        kind,
        toolUseId,
        storableText(tool),
        JSON.stringify(input ?? null),
        storableText(reason),
        text(pattern),
        patterns.map(storableText),
      ],
      ...[text(agent?.type), text(agent?.task), parentToolUseId ?? null, expiresAt ?? null],
      proposal ? storableText(JSON.stringify(proposal)) : null,
    ],
  );
}

export type PermissionEnd = {
  outcome: PermissionOutcome;
  reason?: string;
  /** The rule or switch that decided. */
  policy?: PermissionPolicy;
};

/** No person did it: it is said in the name of who began the turn, as everything of it. */
const BEGUN_BY = '(SELECT t.originator FROM turn t WHERE t.id = $1) AS originator';

type ChangedRow = Pick<PermissionRow, 'id'> & Pick<TurnRow, 'originator'>;

const inOrder = (rows: readonly ChangedRow[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

function originatorOf(originator: ChangedRow['originator']): Originator {
  return originator === null ? SYSTEM : (JSON.parse(originator) as Originator);
}

/**
 * Ends open permissions of a turn without a person's answer: all of them, or those of `permissionIds`. Answers the
 * `permission:resolve` events that the same transaction has to write, for those that were still open.
 */
export async function closePermissions(
  tx: Tx,
  turnId: string,
  { outcome, reason, policy }: PermissionEnd,
  permissionIds?: string[],
): Promise<NewEvent[]> {
  const { rows } = await tx.query<ChangedRow>({
    name: 'close_permissions',
    text: `UPDATE permission SET outcome = $2, resolved_reason = $4, resolved_at = now()
     WHERE turn_id = $1 AND outcome IS NULL AND ($3::text[] IS NULL OR id = ANY($3)) RETURNING id, ${BEGUN_BY}`,
    values: [turnId, outcome, permissionIds ?? null, reason === undefined ? null : storableText(reason)],
  });
  const details = { ...(reason === undefined ? {} : { reason }), ...(policy === undefined ? {} : { policy }) };
  return inOrder(rows).map(({ id: permissionId, originator }) => ({
    kind: 'permission:resolve',
    turn: turnId,
    originator: originatorOf(originator),
    payload: { permissionId, outcome, ...details },
  }));
}

/** Gives open permissions of a turn another deadline; answers the events that the same transaction has to write. */
export async function moveDeadlines(
  tx: Tx,
  turnId: string,
  permissionIds: string[],
  expiresAt: Date,
): Promise<NewEvent[]> {
  const { rows } = await tx.query<ChangedRow>(
    `UPDATE permission SET expires_at = $3 WHERE turn_id = $1 AND outcome IS NULL AND id = ANY($2)
       RETURNING id, ${BEGUN_BY}`,
    [turnId, permissionIds, expiresAt],
  );
  return inOrder(rows).map(({ id: permissionId, originator }) => ({
    kind: 'permission:update',
    turn: turnId,
    originator: originatorOf(originator),
    payload: { permissionId, expiresAt: expiresAt.toISOString() },
  }));
}
