import type { TurnStatus } from '@chirality/contracts';
import type { Tx } from '@chirality/database';
import { isFinal, newId } from '@chirality/domain';

interface TurnFields {
  session: { id: string; teamId: string };
  authorId: string;
  status?: TurnStatus;
  /** Required by every status but the queued and the cancelled one. */
  workerId?: string;
  message?: string;
  attempt?: number;
  /** How long ago it was queued. */
  ageMs?: number;
}

/**
 * A turn in that status, consistent with its session's cursor: a claimed one has raised the fence. It has no events.
 */
export async function buildTurn(tx: Tx, fields: TurnFields) {
  const { session, authorId, status = 'queued', workerId = null, message = 'Hello', ageMs = 0 } = fields;
  const claimed = status !== 'queued' && status !== 'cancelled';
  const final = isFinal(status);
  const attempt = fields.attempt ?? (claimed ? 1 : 0);
  const raised = await tx.query<{ fence: string }>(
    'UPDATE session_cursor SET fence = fence + $2 WHERE session_id = $1 RETURNING fence',
    [session.id, claimed ? 1 : 0],
  );
  const shared = await tx.query<{ fence: string }>(
    `UPDATE shared_workspace w SET fence = w.fence + $2 FROM session s WHERE s.id = $1 AND w.id = s.shared_workspace_id
     RETURNING w.fence`,
    [session.id, claimed ? 1 : 0],
  );
  const turn = {
    id: newId('turn'),
    sessionId: session.id,
    teamId: session.teamId,
    status,
    attempt,
    fence: claimed ? BigInt(raised.rows[0]?.fence ?? 0) : 0n,
    /** Null where the session has its own files. */
    workspaceFence: claimed && shared.rows[0] ? BigInt(shared.rows[0].fence) : null,
  };
  await tx.query(
    `INSERT INTO turn (id, session_id, team_id, active_session_id, status, attempt, fence, author_id, author_name, message, message_cipher, worker_id, worker_life, queued_at, started_at, ended_at,
       shared_workspace_id, workspace_fence)
     VALUES ($1, $2, $3, CASE WHEN $10 THEN NULL ELSE $2 END, $4, $5, $6, $7, 'Author', $8, CASE WHEN $10 THEN NULL ELSE '\\x00'::bytea END, $9, (SELECT life FROM worker WHERE id = $9),
       now() - $12 * interval '1 millisecond', CASE WHEN $11 THEN now() END, CASE WHEN $10 THEN now() END,
       (SELECT shared_workspace_id FROM session WHERE id = $2), $13)`,
    [
      turn.id,
      session.id,
      session.teamId,
      status,
      attempt,
      turn.fence.toString(),
      authorId,
      JSON.stringify(message),
      workerId,
      final,
      claimed,
      ageMs,
      turn.workspaceFence?.toString() ?? null,
    ],
  );
  return turn;
}
