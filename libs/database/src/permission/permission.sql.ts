import type { Permission, PermissionOutcome } from '@chirality/contracts';
import { columnsOf } from '../connection/columns-of';
import type { Tx } from '../connection/database';
import type { Permission as PermissionRecord } from '../generated/client';
import type { PermissionRow, TurnRow } from '../generated/rows';

const COLUMNS = columnsOf('Permission');

/** Latest first, from below that place. `open`: only those without an outcome, or only those with one; null: all. */
export async function selectPermissions(
  tx: Tx,
  sessionId: string,
  { open, from, limit }: { open: boolean | null; from: { at: Date; id: string } | null; limit: number },
): Promise<PermissionRecord[]> {
  const { rows } = await tx.query<PermissionRecord>(
    `SELECT ${COLUMNS} FROM permission WHERE session_id = $1 AND ($2::boolean IS NULL OR (outcome IS NULL) = $2)
       AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4))
     ORDER BY created_at DESC, id DESC LIMIT $5`,
    [sessionId, open, from?.at ?? null, from?.id ?? null, limit],
  );
  return rows;
}

type AnswerRow = Pick<
  PermissionRow,
  'id' | 'outcome' | 'resolved_by_id' | 'resolved_by_name' | 'resolved_reason' | 'answer'
>;

export async function selectAnswers(tx: Tx, permissionIds: string[]): Promise<AnswerRow[]> {
  const { rows } = await tx.query<AnswerRow>(
    'SELECT id, outcome, resolved_by_id, resolved_by_name, resolved_reason, answer FROM permission WHERE id = ANY($1)',
    [permissionIds],
  );
  return rows;
}

interface Resolution {
  permissionId: string;
  sessionId: string;
  outcome: PermissionOutcome;
  scope: Permission['scope'];
  /** JSON text. */
  answer: string | null;
  by: { userId: string; name: string };
  reason: string | null;
}

/**
 * Undefined when it has an outcome already. A pattern that the request does not have allows once, and so does every
 * allowance of a push.
 */
export async function resolveOpenPermission(
  tx: Tx,
  { permissionId, sessionId, outcome, scope, answer, by, reason }: Resolution,
): Promise<(PermissionRecord & { workerId: TurnRow['worker_id'] }) | undefined> {
  const { rows } = await tx.query<PermissionRecord & { workerId: TurnRow['worker_id'] }>(
    `UPDATE permission p
     SET outcome = $3, scope = CASE
         WHEN ($4 = 'pattern' AND cardinality(p.patterns) = 0) OR ($4 = 'tool' AND p.proposal IS NOT NULL) THEN 'once'
         ELSE $4 END,
       answer = $5,
       resolved_by_id = $6, resolved_by_name = $7, resolved_reason = $8, resolved_at = now()
     FROM turn t
     WHERE p.id = $1 AND p.session_id = $2 AND p.outcome IS NULL AND t.id = p.turn_id
     RETURNING ${columnsOf('Permission', { of: 'p' })}, t.worker_id AS "workerId"`,
    [permissionId, sessionId, outcome, scope, answer, by.userId, by.name, reason],
  );
  return rows[0];
}

/** Unless the session has a rule of that tool and pattern already. */
export async function insertSessionRule(
  tx: Tx,
  rule: { id: string; sessionId: string; tool: string; pattern: string | null; by: { userId: string; name: string } },
): Promise<void> {
  await tx.query(
    `INSERT INTO session_rule (id, session_id, tool, pattern, created_by_id, created_by_name) SELECT $1, $2, $3, $4,
      $5, $6
     WHERE NOT EXISTS (SELECT FROM session_rule WHERE session_id = $2 AND tool = $3 AND pattern IS NOT DISTINCT
       FROM $4)`,
    [rule.id, rule.sessionId, rule.tool, rule.pattern, rule.by.userId, rule.by.name],
  );
}
