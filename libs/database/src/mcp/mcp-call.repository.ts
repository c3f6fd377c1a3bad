import { randomUUID } from 'node:crypto';
import type { Database } from '../connection/database';
import type { McpCallRow } from '../generated/rows';

/** A call that waits for a turn. */
export interface McpCall {
  id: string;
  sessionId: string;
  /** Whether the turn was begun by the call. */
  ownsTurn: boolean;
  /** Null until the turn was accepted. */
  turnId: string | null;
  /** The turn’s events come after this one. */
  afterEventId: number;
  /** As JSON; null where no progress is wanted. */
  progressToken: string | null;
}

/** The Idempotency-Key of the turn that a call begins: by it the turn is found before the call names it. */
export function turnKeyOf({ id }: Pick<McpCall, 'id'>): string {
  return `${TURN_KEY_PREFIX}${id}`;
}
const TURN_KEY_PREFIX = 'mcp-';

/** The turn that the call names, else the one that was accepted under its key. */
const WITH_TURN = `SELECT c.*, coalesce(c.turn_id, k.turn_id) AS turn_id FROM mcp_call c
  JOIN mcp_session s ON s.id = c.mcp_session_id
  LEFT JOIN idempotency_key k ON c.owns_turn AND k.user_id = s.user_id AND k.session_id = c.session_id
    AND k.key = '${TURN_KEY_PREFIX}' || c.id`;

/** How a turn went, beside what its row says. */
type TurnEffort = { messages: number; tools: string[]; toolCalls: number };

export class McpCallRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** The call, or the one that the same request already began: it is made once, on whichever node. */
  async begin(mcpSessionId: string, requestId: string, call: Omit<McpCall, 'id'>): Promise<McpCall> {
    const { rows } = await this.database.pool.query<McpCallRow>(
      `INSERT INTO mcp_call (mcp_session_id, request_id, id, session_id, owns_turn, turn_id,
         after_event_id, progress_token)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (mcp_session_id, request_id) DO UPDATE SET id = mcp_call.id RETURNING *`,
      [
        mcpSessionId,
        requestId,
        randomUUID(),
        call.sessionId,
        call.ownsTurn,
        call.turnId,
        call.afterEventId,
        call.progressToken,
      ],
    );
    return callFromRow(rows[0] as McpCallRow);
  }

  /** With its turn, also where a process died between accepting it and noting it. */
  async find(mcpSessionId: string, requestId: string): Promise<McpCall | null> {
    const { rows } = await this.database.pool.query<McpCallRow>(
      `${WITH_TURN} WHERE c.mcp_session_id = $1 AND c.request_id = $2`,
      [mcpSessionId, requestId],
    );
    return rows[0] ? callFromRow(rows[0]) : null;
  }

  /** Answers whether the call was cancelled before its turn was there. */
  async noteTurn(id: string, turnId: string): Promise<boolean> {
    const { rows } = await this.database.pool.query<Pick<McpCallRow, 'cancelled_at'>>(
      'UPDATE mcp_call SET turn_id = $2 WHERE id = $1 RETURNING cancelled_at',
      [id, turnId],
    );
    return rows[0]?.cancelled_at != null;
  }

  /** Answers the call as it is afterwards; null where there is none that began a turn. */
  async cancel(mcpSessionId: string, requestId: string): Promise<McpCall | null> {
    // Noted first: whichever of a cancellation and its turn comes second sees the other.
    await this.database.pool.query(
      `UPDATE mcp_call SET cancelled_at = coalesce(cancelled_at, now())
       WHERE mcp_session_id = $1 AND request_id = $2 AND owns_turn`,
      [mcpSessionId, requestId],
    );
    const call = await this.find(mcpSessionId, requestId);
    return call?.ownsTurn ? call : null;
  }

  /** Messages of the model’s service, and the tools that were used, each once, in the order of their first use. */
  async effortOf(sessionId: string, turnId: string): Promise<TurnEffort> {
    const { rows } = await this.database.pool.query<{ messages: number; tools: string[]; tool_calls: number }>(
      `WITH used AS (
         SELECT payload::json->>'name' AS name, min(id) AS first, count(*)::int AS calls FROM event
         WHERE session_id = $1 AND turn_id = $2 AND kind = 'tool:start'
           AND id > coalesce((SELECT max(id) FROM event WHERE session_id = $1 AND kind = 'turn:queued'
             AND turn_id = $2), 0)
         GROUP BY 1)
       SELECT (SELECT count(*)::int FROM usage_record WHERE turn_id = $2) AS messages,
         coalesce((SELECT json_agg(name ORDER BY first) FROM used), '[]') AS tools,
         coalesce((SELECT sum(calls)::int FROM used), 0) AS tool_calls`,
      [sessionId, turnId],
    );
    const [row] = rows;
    return { messages: row?.messages ?? 0, tools: row?.tools ?? [], toolCalls: row?.tool_calls ?? 0 };
  }
}

function callFromRow(row: McpCallRow): McpCall {
  return {
    id: row.id,
    sessionId: row.session_id,
    ownsTurn: row.owns_turn,
    turnId: row.turn_id,
    afterEventId: Number(row.after_event_id),
    progressToken: row.progress_token,
  };
}
