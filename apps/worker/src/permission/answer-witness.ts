import type { AnswerChannel } from '../harness/harness';
import type { HarnessOutput } from '../harness/harness-output';

/** What the program heard from us about one tool call, last. */
export type HeardAnswer = 'not asked' | 'no answer' | 'failure' | 'allow' | 'ask' | 'deny';

export type ToolRuling = Extract<HarnessOutput, { type: 'tool-ruling' }>;

/** A tool that ran although we did not allow it. */
export type PolicyBypass = { toolUseId: string; tool: string; answered: HeardAnswer; reported: ToolRuling['ruling'] };

/**
 * Keeps what was really sent to the program about each tool call, to be compared with what it says that it did. Only
 * running more than was allowed is a bypass: a program may always run less.
 */
export class AnswerWitness {
  /** By tool call. */
  private readonly heard = new Map<string, HeardAnswer>();
  /** Tool calls by the request that is to be answered. */
  private readonly asked = new Map<string, string>();

  /** The channel, with its answers recorded. */
  watch(channel: AnswerChannel): AnswerChannel {
    return {
      get isOpen() {
        return channel.isOpen;
      },
      respond: (requestId, response) => {
        this.note(requestId, answerIn(response));
        return channel.respond(requestId, response);
      },
      respondError: (requestId, error) => {
        this.note(requestId, 'failure');
        return channel.respondError(requestId, error);
      },
    };
  }

  /** The program asks about a tool call. An earlier answer no longer counts. */
  wasAsked(requestId: string, request: Record<string, unknown>): void {
    const input = request['input'] as Record<string, unknown> | null | undefined;
    const toolUseId = request['tool_use_id'] ?? input?.['tool_use_id'];
    if (typeof toolUseId !== 'string') return;
    this.asked.set(requestId, toolUseId);
    // Asking a person comes after the callback, and must not make more of a call that the callback denied.
    if (this.heard.get(toolUseId) !== 'deny') this.heard.set(toolUseId, 'no answer');
  }

  /** Null where the program did nothing that it was not allowed to. */
  compare({ toolUseId, name, ruling }: ToolRuling): PolicyBypass | null {
    const answered = this.heard.get(toolUseId) ?? 'not asked';
    return ruling === 'rejected' || answered === 'allow' ? null : { toolUseId, tool: name, answered, reported: ruling };
  }

  private note(requestId: string, answer: HeardAnswer): void {
    const toolUseId = this.asked.get(requestId);
    this.asked.delete(requestId);
    if (toolUseId !== undefined && this.heard.get(toolUseId) !== 'deny') this.heard.set(toolUseId, answer);
  }
}

/** An answer that holds no decision counts for nothing, though the program would take it for a yes. */
function answerIn(response: Record<string, unknown>): HeardAnswer {
  const hook = response['hookSpecificOutput'] as Record<string, unknown> | undefined;
  const decision = hook?.['permissionDecision'] ?? response['behavior'];
  return decision === 'allow' || decision === 'ask' || decision === 'deny' ? decision : 'no answer';
}
