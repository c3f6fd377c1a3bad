import type { Envelope, HarnessEvent } from '@chirality/contracts';

type Exit = { code: number | null; signal: string | null };

/**
 * Says a turn's events in the words of the earlier harness. What it had no word for is left out, among it what
 * sub-agents say, which would mix with the answer.
 */
export class HarnessEvents {
  private exit: Exit | null = null;
  private hasFailed = false;
  private isOver = false;

  constructor(private readonly sessionId: string) {}

  /** Each event's own, in order; the end of the turn closes with `process:exit`. */
  of(event: Envelope): HarnessEvent[] {
    const { sessionId } = this;
    switch (event.kind) {
      case 'session:init': {
        const { claudeSessionId, model, tools } = event.payload;
        return [{ type: 'session:init', sessionId, claudeSessionId, model, tools }];
      }
      case 'chat:delta':
      case 'chat:complete': {
        const { text, parentToolUseId } = event.payload;
        return parentToolUseId === undefined ? [{ type: event.kind, sessionId, text }] : [];
      }
      case 'tool:start': {
        const { toolUseId, name, input } = event.payload;
        return [{ type: 'tool:start', sessionId, toolUseId, name, input }];
      }
      case 'tool:result': {
        const { toolUseId, content, isError } = event.payload;
        return [{ type: 'tool:result', sessionId, toolUseId, content, isError }];
      }
      case 'session:complete': {
        const { costUsd, usage } = event.payload;
        return [
          {
            type: 'session:complete',
            sessionId,
            costUsd: costUsd === null ? null : Number(costUsd),
            usage: {
              input_tokens: usage.inputTokens,
              output_tokens: usage.outputTokens,
              cache_read_input_tokens: usage.cacheReadTokens,
              cache_creation_input_tokens: usage.cacheWriteTokens,
            },
          },
        ];
      }
      case 'session:error':
        this.hasFailed = true;
        return [{ type: 'session:error', sessionId, error: event.payload.detail, code: event.payload.code }];
      case 'process:exit':
        this.exit = { code: event.payload.code, signal: event.payload.signal };
        return [];
      case 'turn:end':
        return this.ofEnd(event.payload.status, event.payload.error);
      default:
        return [];
    }
  }

  /** The end of a stream that ends before its turn does, for a reason that is not the turn's. */
  cut(error: string, code: string): HarnessEvent[] {
    if (this.isOver) return [];
    this.isOver = true;
    const { sessionId } = this;
    return [
      { type: 'session:error', sessionId, error, code },
      { type: 'process:exit', sessionId, code: null, signal: null },
    ];
  }

  /** Also for a process that stays warm for the next turn. */
  private ofEnd(status: string, error: { code: string; detail: string } | undefined): HarnessEvent[] {
    this.isOver = true;
    const { sessionId } = this;
    const hasCompleted = status === 'completed';
    const code = error?.code ?? status.toUpperCase();
    const detail = error?.detail ?? `The turn was ${status.replace('_', ' ')}.`;
    return [
      ...(hasCompleted || this.hasFailed
        ? []
        : [{ type: 'session:error', sessionId, error: detail, code } satisfies HarnessEvent]),
      { type: 'process:exit', sessionId, ...(this.exit ?? { code: hasCompleted ? 0 : 1, signal: null }) },
    ];
  }
}
