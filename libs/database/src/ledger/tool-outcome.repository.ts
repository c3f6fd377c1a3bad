import type { OpenToolCall, Originator, ToolVerdict } from '@chirality/contracts';
import type { Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { AppendItem } from '../event/append-item';
import type { EventLogWriter } from '../event/event-log-writer';
import type { ToolCallRow } from '../generated/rows';

export interface ToolVerdictByPerson {
  sessionId: string;
  turnId: string;
  toolUseId: string;
  outcome: ToolVerdict;
  /** Masked already. */
  note: string | null;
  by: { userId: string; name: string };
  originator: Originator;
}

/** Calls that may have changed something and whose outcome is unknown; `c` is the tool_call. */
const IS_OPEN = `c.closed_at IS NULL AND c.mutating AND c.decision = 'allow'
  AND EXISTS (SELECT 1 FROM turn t WHERE t.id = c.turn_id AND t.active_session_id IS NULL)`;

type OpenCallRow = Pick<ToolCallRow, 'turn_id' | 'tool_use_id' | 'name' | 'input' | 'started_at'>;

/** Verdicts of people on tool calls with an unknown outcome. */
export class ToolOutcomeRepository {
  constructor(
    private readonly database: { pool: Tx },
    private readonly log: Pick<EventLogWriter, 'append'>,
  ) {}

  /** Oldest first; their turns are over. */
  async listOpen(sessionId: string): Promise<OpenToolCall[]> {
    const { rows } = await this.database.pool.query<OpenCallRow>(
      `SELECT c.turn_id, c.tool_use_id, c.name, c.input, c.started_at FROM tool_call c WHERE c.session_id = $1
        AND ${IS_OPEN} ORDER BY c.started_at, c.tool_use_id`,
      [sessionId],
    );
    return rows.map((row) => ({
      turnId: row.turn_id,
      toolUseId: row.tool_use_id,
      name: row.name,
      input: JSON.parse(row.input) as unknown,
      startedAt: row.started_at.toISOString(),
    }));
  }

  /**
   * The first word counts: one of any number of calls answers true. The row and its `tool:outcome` event are committed
   * together. False when there is no such open call in that session.
   */
  async settleByPerson({
    sessionId,
    turnId,
    toolUseId,
    outcome,
    note,
    by,
    originator,
  }: ToolVerdictByPerson): Promise<boolean> {
    const item: AppendItem = {
      sessionId,
      fence: null,
      events: [],
      transition: async (tx) => {
        const { rows } = await tx.query<Pick<ToolCallRow, 'name'>>(
          `UPDATE tool_call c SET outcome = $4, note = $5, closed_at = now()
           WHERE c.session_id = $1 AND c.turn_id = $2 AND c.tool_use_id = $3 AND ${IS_OPEN} RETURNING c.name`,
          [sessionId, turnId, toolUseId, outcome, note === null ? null : storableText(note)],
        );
        const [settled] = rows;
        if (!settled) return false;
        // It belongs to no turn: the one that it speaks of has had its last event.
        return [
          {
            kind: 'tool:outcome',
            turn: null,
            originator,
            payload: { turnId, toolUseId, name: settled.name, outcome, ...(note === null ? {} : { note }), by },
          },
        ];
      },
    };
    return (await this.log.append(item)).appended;
  }
}
