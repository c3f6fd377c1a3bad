import { nextStatus } from '@chirality/domain';
import type { Tx } from '../connection/database';
import type { TurnRow } from '../generated/rows';
import { LAST_RUN_FENCE } from '../session/last-run-fence';
import { mayNotWorkSql } from '../session/may-not-work';
import { SESSION_TO_RUN_COLUMNS, type SessionToRunRow } from '../session/session-to-run';
import type { WorkerLife } from '../worker/lease';
import { WORKSPACE_IS_STORED } from '../shared-workspace/shared-workspace.sql';
import { queueOrderSql } from './queue-order';

/**
 * Whose lease is good: another such worker keeps the sessions that it holds, unless it cannot run their turns and what
 * it has of them is stored.
 */
const live = (worker: string) => `${worker}.stopped_at IS NULL AND ${worker}.lease_expires_at > now()`;

/** What keeps a worker from the turns of a session that it holds: it is leaving, has no sandbox, or no free slot. */
const isKeptFromTurns = (worker: string) => `(${worker}.draining OR ${worker}.sandbox = 'unavailable'
  OR (SELECT count(*) FROM turn busy WHERE busy.worker_id = ${worker}.id AND busy.status IN ('starting', 'running',
    'finishing')) >= ${worker}.slots)`;

/**
 * Everything that was done in session `s` is in the blob store: the key of a stored state names the last attempt whose
 * work is in it.
 */
const IS_STORED = `(NOT s.has_unstored_act AND coalesce(${LAST_RUN_FENCE}, 0) <= coalesce(substring(s.state_key
  FROM '^sessions/[^/]+/([0-9]+)/')::bigint, 0))`;

/**
 * A live worker other than the claimer holds the shared workspace of session `s`, and either may run the turn or has
 * something that is not stored.
 */
const WORKSPACE_IS_HELD = `EXISTS (SELECT 1 FROM shared_workspace w JOIN worker other ON other.id = w.holder_worker_id
  WHERE w.id = s.shared_workspace_id AND other.id <> $1 AND ${live('other')}
    AND NOT ((${isKeptFromTurns('other')} OR s.harness <> ALL (other.harnesses)) AND ${WORKSPACE_IS_STORED}))`;

/** Of `turn t` in shared files: the fence of its session's last turn that had a process, null where it had none. */
const LAST_SEEN_FENCE = `(SELECT max(earlier.workspace_fence) FROM turn earlier WHERE earlier.session_id = t.session_id
  AND earlier.id <> t.id AND earlier.launch IS NOT NULL)`;

/**
 * A session that shares its workspace goes where that is: its own holder keeps it only until the conversation is
 * stored. A turn whose author lost their right to it is not taken but cancelled elsewhere. The row lock on the turn
 * decides between claimers, and the status is looked at again under it. In one statement: the turn is taken, the
 * session's fence rises, and the claimer becomes the holder. A turn that the claimer was given without hearing of it,
 * because the answer was lost, comes before the queue; it is only read, so that a statement of a connection that was
 * given up takes nothing away from a claim that came after it. Locks are taken as appends with a transition take
 * them, turn, session, cursor, then the shared workspace: in another order a claim and a change of the session would
 * wait for each other.
 */
const claimSql = (lookingForLost: boolean) => `
WITH picked AS MATERIALIZED (
  SELECT t.id, t.session_id, CASE WHEN t.status = 'queued' THEN 1 ELSE 0 END AS fence_rise
  FROM turn t
  JOIN session s ON s.id = t.session_id
  JOIN worker me ON me.id = $1 AND me.life = $2 AND ${live('me')} AND NOT me.draining
  LEFT JOIN (${queueOrderSql()}) q ON q.id = t.id
  WHERE t.active_session_id IS NOT NULL AND (
    (t.status = 'queued' AND s.harness = ANY (me.harnesses)
      AND NOT ${mayNotWorkSql('s', 't.author_id')} AND NOT EXISTS (SELECT 1 FROM worker other
        WHERE other.id = s.holder_worker_id AND other.id <> $1 AND s.harness = ANY (other.harnesses)
          AND ${live('other')} AND NOT ((s.shared_workspace_id IS NOT NULL OR ${isKeptFromTurns('other')})
          AND ${IS_STORED})) AND NOT ${WORKSPACE_IS_HELD})
    ${lookingForLost ? 'OR (t.status = $3 AND t.worker_id = $1 AND t.worker_life = $2 AND t.id <> ALL ($4::text[]))' : ''}
  )
  ORDER BY q.position NULLS FIRST LIMIT 1
  FOR UPDATE OF t SKIP LOCKED
), session_first AS MATERIALIZED (
  SELECT s.id, s.shared_workspace_id, picked.fence_rise FROM session s JOIN picked ON picked.session_id = s.id FOR NO KEY UPDATE OF s
), fenced AS (
  UPDATE session_cursor c SET fence = c.fence + s.fence_rise FROM session_first s WHERE c.session_id = s.id
    RETURNING c.session_id, c.fence
), shared AS (
  UPDATE shared_workspace w SET fence = w.fence + s.fence_rise, holder_worker_id = $1 FROM session_first s
    WHERE w.id = s.shared_workspace_id RETURNING w.fence
), claimed AS (
  UPDATE turn t SET status = $3, attempt = 1, fence = fenced.fence, workspace_fence = (SELECT fence FROM shared), worker_id = $1, worker_life = $2,
    started_at = coalesce(t.started_at, now())
  FROM picked JOIN fenced ON fenced.session_id = picked.session_id
  WHERE t.id = picked.id
  RETURNING t.*
), held AS (
  UPDATE session SET holder_worker_id = $1 FROM picked WHERE session.id = picked.session_id AND holder_worker_id
    IS DISTINCT FROM $1
)
SELECT t.id, t.kind, t.attempt, t.fence, t.author_id, t.author_name, t.author_class, t.message, t.message_cipher,
  t.output_schema, t.originator, t.options, t.persona, t.queued_at, t.started_at, t.workspace_fence,
  EXISTS (SELECT 1 FROM turn other WHERE other.status = 'queued' AND other.id <> t.id) AS others_queued,
  EXISTS (SELECT 1 FROM tool_call told WHERE told.session_id = t.session_id AND told.outcome IN ('failed', 'succeeded',
    'abort')) AS has_told_calls,
  (EXISTS (SELECT 1 FROM turn elsewhere WHERE elsewhere.shared_workspace_id = t.shared_workspace_id
    AND elsewhere.session_id <> t.session_id AND elsewhere.mutating_tool_started
    AND elsewhere.workspace_fence > ${LAST_SEEN_FENCE})
    OR EXISTS (SELECT 1 FROM shared_workspace_act act WHERE act.shared_workspace_id = t.shared_workspace_id
      AND act.session_id <> t.session_id AND act.fence >= ${LAST_SEEN_FENCE})) AS changed_by_others,
  EXISTS (SELECT 1 FROM attachment a WHERE a.session_id = t.session_id AND a.sent_at IS NOT NULL) AS has_attachments,
  ${SESSION_TO_RUN_COLUMNS}
FROM claimed t JOIN session s ON s.id = t.session_id JOIN project p ON p.id = s.project_id`;

const CLAIM = { name: 'claim_turn', text: claimSql(false) };
const CLAIM_OR_FIND_LOST = { name: 'claim_or_find_lost_turn', text: claimSql(true) };

export type ClaimRow = SessionToRunRow &
  Pick<
    TurnRow,
    'id' | 'kind' | 'attempt' | 'message' | 'output_schema' | 'originator' | 'queued_at' | 'workspace_fence'
  > & {
    message_cipher: NonNullable<TurnRow['message_cipher']>;
    started_at: NonNullable<TurnRow['started_at']>;
    others_queued: boolean;
    has_told_calls: boolean;
    has_attachments: boolean;
    changed_by_others: boolean;
  };

/** `known`: the turns that the worker was given before, where one more may be its without its knowledge. */
export async function takeNextTurn(
  tx: Tx,
  { id, life }: WorkerLife,
  known: string[] | null,
): Promise<ClaimRow | undefined> {
  const { rows } = await tx.query<ClaimRow>(
    known
      ? { ...CLAIM_OR_FIND_LOST, values: [id, life, nextStatus('queued', 'claim'), known] }
      : { ...CLAIM, values: [id, life, nextStatus('queued', 'claim')] },
  );
  return rows[0];
}
