import { FAKE_CLAUDE_MARKER, type FakeRecord, type FakeSignal, type FakeStep } from './fake-claude-script';

type StepOf<D extends FakeStep['do']> = Omit<Extract<FakeStep, { do: D }>, 'do'>;

const MODEL = 'claude-fake-1';
const NO_USAGE = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/**
 * The steps of one turn of the stand-in, in the order in which they are added:
 * `fakeClaude().init().text('m1', 'hello').result().exit(0)`. Records have the shape that the real program prints.
 */
export class FakeClaude {
  readonly steps: FakeStep[] = [];

  /** `parent` is the tool call whose sub-agent speaks. */
  constructor(private readonly parent: string | null = null) {}

  step(...steps: FakeStep[]): this {
    this.steps.push(...steps);
    return this;
  }

  record(record: FakeRecord): this {
    return this.step({ do: 'emit', record });
  }

  /** INIT. */
  init(change: Record<string, unknown> = {}): this {
    return this.step({ do: 'init', change });
  }

  /** TXT: one text block as a separate record, without a stream before it. */
  text(messageId: string, text: string, change: Record<string, unknown> = {}): this {
    return this.record(this.assistant(messageId, { type: 'text', text }, change));
  }

  /** A message of one text block as the real program prints it: stream events in these pieces, and the record. */
  streamText(messageId: string, pieces: readonly string[]): this {
    this.messageStart(messageId).streamEvent(messageId, {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    });
    for (const piece of pieces) this.textDelta(messageId, piece);
    return this.text(messageId, pieces.join(''))
      .streamEvent(messageId, { type: 'content_block_stop', index: 0 })
      .messageStop(messageId);
  }

  messageStart(messageId: string): this {
    const message = {
      id: messageId,
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content: [],
      stop_reason: null,
      usage: NO_USAGE,
    };
    return this.streamEvent(messageId, { type: 'message_start', message });
  }

  textDelta(messageId: string, text: string, index = 0): this {
    return this.streamEvent(messageId, { type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
  }

  messageStop(messageId: string, stopReason = 'end_turn'): this {
    return this.streamEvent(messageId, {
      type: 'message_delta',
      delta: { stop_reason: stopReason },
      usage: NO_USAGE,
    }).streamEvent(messageId, { type: 'message_stop' });
  }

  streamEvent(messageId: string, event: Record<string, unknown>): this {
    return this.record({
      type: 'stream_event',
      event,
      session_id: '$session',
      parent_tool_use_id: this.parent,
      api_message_id: messageId,
    });
  }

  /** TOOL: a tool call without a permission request. `useTool` asks. */
  tool(messageId: string, id: string, name: string, input: Record<string, unknown> = {}): this {
    return this.record(this.assistant(messageId, { type: 'tool_use', id, name, input }));
  }

  /** TRES. */
  toolResult(
    id: string,
    content: unknown,
    { isError = false, details }: { isError?: boolean; details?: unknown } = {},
  ): this {
    return this.record({
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }],
      },
      parent_tool_use_id: this.parent,
      session_id: '$session',
      ...(details === undefined ? {} : { tool_use_result: details }),
    });
  }

  /** SUB: what the sub-agent of a tool call says and does. */
  sub(parent: string, build: (agent: FakeClaude) => FakeClaude): this {
    return this.step(...build(new FakeClaude(parent)).steps);
  }

  /** RES, with the last text of the main conversation unless `change` says another; `result: null` for none. */
  result(change: Record<string, unknown> = {}): this {
    return this.step({ do: 'result', change });
  }

  useTool(call: StepOf<'useTool'>): this {
    return this.step({ do: 'useTool', ...call });
  }

  write(text: string, options: Omit<StepOf<'write'>, 'text'> = {}): this {
    return this.step({ do: 'write', text, ...options });
  }

  stderr(text: string): this {
    return this.step({ do: 'stderr', text });
  }

  flood(flood: StepOf<'flood'>): this {
    return this.step({ do: 'flood', ...flood });
  }

  sleep(ms: number): this {
    return this.step({ do: 'sleep', ms });
  }

  hang(): this {
    return this.step({ do: 'hang' });
  }

  trap(signals: FakeSignal[], build?: (steps: FakeClaude) => FakeClaude): this {
    return this.step({ do: 'trap', signals, steps: build?.(new FakeClaude()).steps });
  }

  onInterrupt(build: 'ignore' | ((steps: FakeClaude) => FakeClaude)): this {
    return this.step(
      build === 'ignore'
        ? { do: 'onInterrupt', ignore: true }
        : { do: 'onInterrupt', steps: build(new FakeClaude()).steps },
    );
  }

  spawn(command: string[], options: Omit<StepOf<'spawn'>, 'command'> = {}): this {
    return this.step({ do: 'spawn', command, ...options });
  }

  exit(code: number): this {
    return this.step({ do: 'exit', code });
  }

  /** A message whose turn is these steps, for a stand-in that was installed without a script. */
  toMessage(): string {
    return `${FAKE_CLAUDE_MARKER}${JSON.stringify({ steps: this.steps })}`;
  }

  private assistant(id: string, block: Record<string, unknown>, change: Record<string, unknown> = {}): FakeRecord {
    return {
      type: 'assistant',
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model: MODEL,
        content: [block],
        stop_reason: null,
        usage: NO_USAGE,
      },
      parent_tool_use_id: this.parent,
      session_id: '$session',
      ...change,
    };
  }
}

export function fakeClaude(): FakeClaude {
  return new FakeClaude();
}
