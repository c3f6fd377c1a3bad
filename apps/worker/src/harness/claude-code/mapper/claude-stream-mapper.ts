import { asName, asObject } from '../records/json';
import { finalText } from './final-text';
import type { AskedFor, HarnessOutput, RunOutcome, RunReport } from '../../harness-output';
import { ConversationState, MapperContext, TurnState } from './mapper-state';
import { RECORD_HANDLERS } from './record-handlers';
import { commonReport } from './result-records';
import { isRetryable, missingResultCode, turnError } from './turn-error';

export type * from '../../harness-output';

type ClaudeStreamMapperOptions = {
  /** The session to continue; null for a new one. Another one in `init` is a fork. */
  requestedSessionId: string | null;
  asked: AskedFor;
  /** Milliseconds of a clock that never goes back. */
  clock: () => number;
};

/**
 * Turns the records of one `claude` process into our events and facts. One process serves several turns: `beginTurn`
 * starts each. It decides nothing: whether a turn was interrupted, retried or timed out is its caller's knowledge, as
 * are `session:complete` and `session:error`, for which the report holds the words.
 *
 * Never throws, whatever the records hold; what is unknown is ignored and counted. Time is linear in the records' size.
 * Events are unmasked.
 */
export class ClaudeStreamMapper {
  private readonly context: MapperContext;

  constructor({ requestedSessionId, asked, clock }: ClaudeStreamMapperOptions) {
    this.context = new MapperContext(new ConversationState(requestedSessionId, asked), clock);
  }

  /** The next records belong to another turn. `asked` changes what its `init` is compared with. */
  beginTurn(asked?: Partial<AskedFor>): void {
    const { conversation } = this.context;
    conversation.asked = { ...conversation.asked, ...asked };
    if (asked?.permissionMode !== undefined) conversation.permissionMode = asked.permissionMode;
    conversation.cost.beginTurn();
    this.context.turn = new TurnState();
  }

  /**
   * One record, as `JSON.parse` gives it; a list of records counts as its members. Outputs are in the stream's order.
   */
  accept(record: unknown): HarnessOutput[] {
    this.context.outputs = [];
    for (const one of Array.isArray(record) ? record : [record]) this.acceptOne(one);
    return this.context.outputs;
  }

  /**
   * What the turn amounts to: by its last result, or without one by how the process ended. `stderr` (its last lines)
   * explains a program that never began.
   */
  finish(exit: { code: number | null; signal: string | null; stderr?: string }): RunOutcome {
    const { turn } = this.context;
    const report = turn.lastReport
      ? { ...turn.lastReport, openTools: turn.tools.open() }
      : this.reportWithoutResult(exit);
    return {
      ...report,
      hasResult: turn.lastReport !== null,
      streamedMessageIds: turn.messages.visibleIds(),
      ignored: turn.ignored,
    };
  }

  private reportWithoutResult(exit: { code: number | null; signal: string | null; stderr?: string }): RunReport {
    const { turn, conversation } = this.context;
    const code = missingResultCode(exit, conversation.sessionId !== null);
    const explained = code === 'HARNESS_FAILURE' || code === 'RESUME_FAILED';
    return {
      ...commonReport(this.context),
      outcome: 'failed',
      error: turnError(code, explained ? [exit.stderr?.trim() ?? ''] : []),
      retryable: isRetryable(code),
      text: finalText(turn.messages.all()),
      degraded: true,
    };
  }

  private acceptOne(value: unknown): void {
    const record = asObject(value);
    const type = asName(record?.['type']);
    if (!record || type === null) return this.context.ignore('record:without type');
    const handle = RECORD_HANDLERS.get(type);
    if (!handle) return this.context.ignore(`type:${type}`);
    if (type !== 'result') this.context.conversation.mentionedSessionId ??= asName(record['session_id']);
    try {
      handle(this.context, record);
    } catch (error) {
      // A record must never end a turn. The handlers are tested not to throw; this is the wall behind them.
      this.context.ignore(`broken:${error instanceof Error ? error.name : 'unknown'}`);
    }
  }
}
