/** Tokens as the Messages API reports them. */
export type ApiUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  server_tool_use?: { web_search_requests: number; web_fetch_requests: number };
};

export type TextBlock = { type: 'text'; text: string };
export type ThinkingBlock = { type: 'thinking'; thinking: string };
export type RedactedThinkingBlock = { type: 'redacted_thinking'; data: string };
export type ToolUseBlock = { type: 'tool_use'; name: string; input: Record<string, unknown>; id?: string };
export type ReplyBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'pause_turn';

/** How fast deltas come and how long each is. */
export type Pace = { unit: 'word' | 'character'; size: number; delayMs: number };

/** What goes wrong in the middle of a stream, after so many deltas. */
export type StreamFault = { after: number } & (
  { kind: 'cut' } | { kind: 'stall'; cutOn?: string } | { kind: 'error'; type: string; message: string }
);

export type MessageReply = {
  kind: 'message';
  blocks: ReplyBlock[];
  stopReason: StopReason;
  usage?: Partial<ApiUsage>;
  /** The model that says it answered; the asked one when left out. */
  model?: string;
  pace?: Pace;
  fault?: StreamFault;
  /** Writes to the network are split inside a multi-byte character. */
  splitCharacters?: boolean;
};

export type ErrorReply = {
  kind: 'error';
  status: number;
  type: string;
  message: string;
  headers: Record<string, string>;
};

/** What no well-behaved service does. */
export type FaultReply = { kind: 'fault'; fault: 'hang' | 'refused' | 'cut_early' | 'garbage' | 'html' };

export type Reply = MessageReply | ErrorReply | FaultReply;

export function text(value: string): TextBlock {
  return { type: 'text', text: value };
}

export function thinking(value: string): ThinkingBlock {
  return { type: 'thinking', thinking: value };
}

export function toolUse(name: string, input: Record<string, unknown>): ToolUseBlock {
  return { type: 'tool_use', name, input };
}

/** A message of these blocks; it waits for results when a tool is among them. */
export function message(...blocks: ReplyBlock[]): MessageReply {
  return {
    kind: 'message',
    blocks,
    stopReason: blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
  };
}
