import type { ToolVerdict } from '@chirality/contracts';
import { columnsOf } from '../connection/columns-of';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { ToolCall as ToolCallRecord } from '../generated/client';

/** Whose call it is; every write of the worker is refused once the attempt is over. */
interface LedgerAttempt {
  turnId: string;
  attempt: number;
  fence: bigint;
}

interface NewToolCall extends LedgerAttempt {
  sessionId: string;
  toolUseId: string;
  name: string;
  /** Masked already. */
  input: unknown;
  mutating: boolean;
  decision: 'allow' | 'ask' | 'deny';
}

interface ToolCall {
  turnId: string;
  toolUseId: string;
  sessionId: string;
  attempt: number;
  name: string;
  input: unknown;
  mutating: boolean;
  decision: 'allow' | 'ask' | 'deny';
  startedAt: string;
  closedAt: string | null;
  /** `ok` and `error` were seen by the worker; the others are what a person says of a call that was left open. */
  outcome: 'ok' | 'error' | ToolVerdict | null;
  note: string | null;
}

/** The ledger of tool calls: each is recorded before it may run, and closed after. */
export class ToolCallRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /**
   * One statement. True: the row is there and the tool may do what the decision says. The turn's row is locked by it,
   * so a call is either written before a settlement or refused after it. Safe to repeat.
   */
  async openToolCall(call: NewToolCall): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'open_tool_call',
      text: `WITH live AS (
          UPDATE turn SET mutating_tool_started = mutating_tool_started OR ($8 AND $9 = 'allow')
          WHERE id = $1 AND attempt = $2 AND fence = $3 AND active_session_id IS NOT NULL RETURNING id
        )
        INSERT INTO tool_call (turn_id, attempt, session_id, tool_use_id, name, input, mutating, decision)
        SELECT $1, $2, $4, $5, $6, $7, $8, $9 FROM live
        ON CONFLICT (turn_id, tool_use_id) DO UPDATE SET decision = EXCLUDED.decision, attempt = EXCLUDED.attempt`,
      values: [
        call.turnId,
        call.attempt,
        call.fence.toString(),
        call.sessionId,
        call.toolUseId,
        storableText(call.name),
        JSON.stringify(call.input ?? null),
        call.mutating,
        call.decision,
      ],
    });
    return rowCount === 1;
  }

  /** A call that was put to a person may run now. False when the attempt is over. */
  async markAllowed({ turnId, attempt, fence }: LedgerAttempt, toolUseId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `WITH live AS (
        UPDATE turn SET mutating_tool_started = mutating_tool_started
          OR coalesce((SELECT mutating FROM tool_call WHERE turn_id = $1 AND tool_use_id = $4), true)
        WHERE id = $1 AND attempt = $2 AND fence = $3 AND active_session_id IS NOT NULL RETURNING id
      ), opened AS (
        UPDATE tool_call SET decision = 'allow' FROM live WHERE turn_id = live.id AND tool_use_id = $4
      )
      SELECT id FROM live`,
      [turnId, attempt, fence.toString(), toolUseId],
    );
    return rowCount === 1;
  }

  /** What came of a call. A call that is closed stays as it is. */
  async closeToolCall(turnId: string, toolUseId: string, outcome: 'ok' | 'error'): Promise<void> {
    await this.database.pool.query(
      'UPDATE tool_call SET outcome = $3, closed_at = now() WHERE turn_id = $1 AND tool_use_id = $2 AND closed_at IS NULL',
      [turnId, toolUseId, outcome],
    );
  }

  async listOfTurn(turnId: string): Promise<ToolCall[]> {
    const rows = await this.database.prisma.toolCall.findMany({
      where: { turnId },
      orderBy: [{ startedAt: 'asc' }, { toolUseId: 'asc' }],
    });
    return rows.map(callFromRow);
  }

  /**
   * What people said of open calls and no message has taken to the model yet: since then none of the session's other
   * messages got as far as the model's service.
   */
  async listUntold(sessionId: string, turnId: string): Promise<ToolCall[]> {
    const { rows } = await this.database.pool.query<ToolCallRecord>(
      `SELECT ${columnsOf('ToolCall', { of: 'c' })} FROM tool_call c
       WHERE c.session_id = $1 AND c.outcome IN ('failed', 'succeeded', 'abort') AND NOT EXISTS (
         SELECT 1 FROM turn t WHERE t.session_id = $1 AND t.id <> $2 AND t.kind = 'message'
           AND t.started_at > c.closed_at
           AND EXISTS (SELECT 1 FROM usage_record u WHERE u.turn_id = t.id))
       ORDER BY c.started_at, c.tool_use_id`,
      [sessionId, turnId],
    );
    return rows.map(callFromRow);
  }
}

function callFromRow(row: ToolCallRecord): ToolCall {
  return {
    turnId: row.turnId,
    toolUseId: row.toolUseId,
    sessionId: row.sessionId,
    attempt: row.attempt,
    name: row.name,
    input: JSON.parse(row.input) as unknown,
    mutating: row.mutating,
    decision: row.decision,
    startedAt: row.startedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    outcome: row.outcome,
    note: row.note,
  };
}
