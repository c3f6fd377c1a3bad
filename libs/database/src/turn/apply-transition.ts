import type { PermissionDenial, Timings, TurnError, TurnStatus } from '@chirality/contracts';
import { isFinal, nextStatus, TURN_TRANSITIONS, type TurnCause } from '@chirality/domain';
import type { Tx } from '../connection/database';
import { prepared } from '../connection/prepared';
import { storableText } from '../connection/storable-text';

/** What may change together with the status. Absent fields stay as they are. */
export interface TurnChanges {
  claudeSessionId?: string | null;
  model?: string | null;
  claudeVersion?: string | null;
  /** JSON text: what ran, for a replay by hand. */
  launch?: string;
  mutatingToolStarted?: boolean;
  text?: string;
  /** The answer by the turn's schema. */
  structured?: Record<string, unknown> | null;
  degraded?: boolean;
  error?: TurnError | null;
  reportedCostUsd?: string | null;
  permissionDenials?: PermissionDenial[];
  timings?: Timings;
  interruptedById?: string;
}

export interface TransitionRequest {
  turnId: string;
  /** Without it the turn may be in any status from which the table allows the cause. */
  from?: TurnStatus;
  cause: TurnCause;
  attempt: number;
  fence: bigint;
  set?: TurnChanges;
}

/**
 * The one function that changes a turn's status: a compare-and-set on status, attempt and fence, to where the
 * transition table leads. False when the table does not allow it or the turn is no longer in that state. A retry
 * raises the attempt. A final status frees the session, stamps the end and forgets the unmasked message.
 */
export async function applyTransition(
  tx: Tx,
  { turnId, from, cause, attempt, fence, set = {} }: TransitionRequest,
): Promise<boolean> {
  const sources = from === undefined ? TURN_TRANSITIONS[cause].from : [from];
  const to = nextStatus(sources[0] as TurnStatus, cause);
  if (to === null) return false;
  const assignments = ['status = $5'];
  const values: unknown[] = [turnId, sources, attempt, fence.toString(), to];
  const assign = (column: string, value: unknown) => assignments.push(`${column} = $${values.push(value)}`);
  for (const [column, value] of columnsOf(set)) assign(column, value);
  if (cause === 'retry') assignments.push('attempt = attempt + 1');
  if (isFinal(to)) assignments.push('active_session_id = NULL', 'ended_at = now()', 'message_cipher = NULL');
  const { rowCount } = await tx.query({
    ...prepared(
      `UPDATE turn SET ${assignments.join(', ')} WHERE id = $1 AND status = ANY($2::text[]) AND attempt = $3
        AND fence = $4`,
    ),
    values,
  });
  return rowCount === 1;
}

function columnsOf(set: TurnChanges): [string, unknown][] {
  const columns: [string, unknown][] = [
    ['claude_session_id', set.claudeSessionId],
    ['model', set.model],
    ['claude_version', set.claudeVersion],
    ['launch', set.launch],
    ['mutating_tool_started', set.mutatingToolStarted],
    ['text', set.text === undefined ? undefined : JSON.stringify(set.text)],
    ['structured', set.structured == null ? set.structured : JSON.stringify(set.structured)],
    ['degraded', set.degraded],
    ['error_code', set.error === undefined ? undefined : (set.error?.code ?? null)],
    ['error_detail', set.error === undefined ? undefined : set.error && storableText(set.error.detail)],
    ['reported_cost_usd', set.reportedCostUsd],
    ['permission_denials', set.permissionDenials === undefined ? undefined : JSON.stringify(set.permissionDenials)],
    ['timings', set.timings === undefined ? undefined : JSON.stringify(set.timings)],
    ['interrupted_by_id', set.interruptedById],
  ];
  return columns.filter(([, value]) => value !== undefined);
}
