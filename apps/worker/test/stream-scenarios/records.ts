/** Records in the shape that the real program prints them, short enough to read a scenario at a glance. */
export type StreamRecord = Record<string, unknown>;

export const SESSION = 'session-a';
const USAGE = { input_tokens: 12, output_tokens: 1, cache_read_input_tokens: 100, cache_creation_input_tokens: 50 };

export function init(change: StreamRecord = {}): StreamRecord {
  return {
    type: 'system',
    subtype: 'init',
    session_id: SESSION,
    cwd: '/workspace',
    model: 'claude-opus-5-5',
    permissionMode: 'default',
    tools: ['Read', 'Bash'],
    mcp_servers: [],
    claude_code_version: '2.1.332',
    ...change,
  };
}

export function system(subtype: string, fields: StreamRecord = {}): StreamRecord {
  return { type: 'system', subtype, session_id: SESSION, ...fields };
}

export function assistant(id: string, content: unknown, change: StreamRecord = {}): StreamRecord {
  return {
    type: 'assistant',
    session_id: SESSION,
    parent_tool_use_id: null,
    message: { id, role: 'assistant', model: 'claude-opus-5-5', content, usage: USAGE },
    ...change,
  };
}

/** TXT. `parent` is the tool call whose sub-agent speaks. */
export function txt(id: string, text: string, parent: string | null = null): StreamRecord {
  return assistant(id, [{ type: 'text', text }], { parent_tool_use_id: parent });
}

/** TOOL. */
export function tool(
  id: string,
  toolUseId: string,
  name: string,
  input: unknown = {},
  parent: string | null = null,
): StreamRecord {
  return assistant(id, [{ type: 'tool_use', id: toolUseId, name, input }], { parent_tool_use_id: parent });
}

/** TRES. */
export function tres(toolUseId: string, content: unknown, change: StreamRecord = {}): StreamRecord {
  const { isError, ...rest } = change;
  const result = {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content,
    ...(isError === undefined ? {} : { is_error: isError }),
  };
  return {
    type: 'user',
    session_id: SESSION,
    parent_tool_use_id: null,
    message: { role: 'user', content: [result] },
    ...rest,
  };
}

/** RES: success, unless `change` says otherwise; `result: undefined` for one without a text. */
export function res(change: StreamRecord = {}): StreamRecord {
  const record: StreamRecord = {
    session_id: SESSION,
    total_cost_usd: 0,
    permission_denials: [],
    terminal_reason: 'completed',
    is_error: false,
    num_turns: 1,
    subtype: 'success',
    result: '',
    type: 'result',
    ...change,
  };
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

export function failure(errorClass: string, text: string, change: StreamRecord = {}): StreamRecord {
  return { ...assistant('synthetic', [{ type: 'text', text }]), error: errorClass, ...change };
}

export function ev(event: StreamRecord, change: StreamRecord = {}): StreamRecord {
  return { type: 'stream_event', session_id: SESSION, parent_tool_use_id: null, event, ...change };
}

export const messageStart = (id: string) =>
  ev({ type: 'message_start', message: { id, usage: USAGE } }, { api_message_id: id });
export const textStart = (id: string, index = 0, text = '') =>
  ev({ type: 'content_block_start', index, content_block: { type: 'text', text } }, { api_message_id: id });
export const textDelta = (id: string, text: string, index = 0) =>
  ev({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }, { api_message_id: id });
export const thinkingDelta = (id: string, thinking: string, index = 0) =>
  ev({ type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking } }, { api_message_id: id });
export const toolStart = (id: string, toolUseId: string, name: string, index = 0) =>
  ev(
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id: toolUseId, name, input: {} } },
    { api_message_id: id },
  );
export const inputDelta = (id: string, piece: string, index = 0) =>
  ev(
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: piece } },
    { api_message_id: id },
  );
export const blockStop = (id: string, index = 0) => ev({ type: 'content_block_stop', index }, { api_message_id: id });
export const messageDelta = (id: string, stopReason: string, usage: StreamRecord = { ...USAGE, output_tokens: 8 }) =>
  ev({ type: 'message_delta', delta: { stop_reason: stopReason }, usage }, { api_message_id: id });
export const messageStop = (id: string, abandonedFrom?: number) =>
  ev(
    { type: 'message_stop' },
    {
      api_message_id: id,
      ...(abandonedFrom === undefined
        ? {}
        : { abandoned_blocks: { api_message_id: id, from_block_index: abandonedFrom } }),
    },
  );
export const retry = (attempt: number, status: number | null, error = 'overloaded') =>
  system('api_retry', { attempt, max_retries: 10, retry_delay_ms: 500, error_status: status, error });

/** Stands among the records for the beginning of another turn of the same process. */
export class AnotherTurn {
  constructor(readonly asked: { permissionMode?: string; model?: string } | undefined) {}
}

export const anotherTurn = (asked?: AnotherTurn['asked']) => new AnotherTurn(asked);
