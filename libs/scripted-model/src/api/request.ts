import { ANSWERING_TOOL } from '@chirality/domain';

/** The parts of a Messages API request that are looked at. Everything may be missing or of another form. */
export type ApiBlock = {
  type: string;
  text?: string;
  thinking?: string;
  id?: string;
  name?: string;
  input?: Record<string, unknown>;
  tool_use_id?: string;
  content?: string | ApiBlock[];
  is_error?: boolean;
};
export type ApiMessage = { role: string; content: string | ApiBlock[] };
export type ApiRequest = {
  model: string;
  stream: boolean;
  system: string;
  messages: ApiMessage[];
  tools: string[];
  /** What the answer has to follow, where the program asks for one by a schema. */
  answerSchema: Record<string, unknown> | null;
  maxTokens: number | null;
};

/** Reads a request's body; null when it is not one. */
export function readRequest(body: unknown): ApiRequest | null {
  if (!isRecord(body) || !Array.isArray(body['messages'])) return null;
  return {
    model: typeof body['model'] === 'string' ? body['model'] : 'unknown',
    stream: body['stream'] === true,
    system: textOf(body['system']),
    messages: body['messages'].filter(isMessage),
    tools: Array.isArray(body['tools'])
      ? body['tools'].flatMap((tool) => (isRecord(tool) && typeof tool['name'] === 'string' ? [tool['name']] : []))
      : [],
    answerSchema: answerSchemaIn(body['tools']),
    maxTokens: typeof body['max_tokens'] === 'number' ? body['max_tokens'] : null,
  };
}

function answerSchemaIn(tools: unknown): Record<string, unknown> | null {
  const tool: unknown = Array.isArray(tools)
    ? tools.find((one) => isRecord(one) && one['name'] === ANSWERING_TOOL)
    : undefined;
  return isRecord(tool) && isRecord(tool['input_schema']) ? tool['input_schema'] : null;
}

export function blocksOf(message: ApiMessage): ApiBlock[] {
  return typeof message.content === 'string'
    ? [{ type: 'text', text: message.content }]
    : message.content.filter(isBlock);
}

/** The text of a string or of the text blocks of a list. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((block) => (isBlock(block) && typeof block.text === 'string' ? [block.text] : [])).join('\n');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBlock(value: unknown): value is ApiBlock {
  return isRecord(value) && typeof value['type'] === 'string';
}

function isMessage(value: unknown): value is ApiMessage {
  return (
    isRecord(value) &&
    typeof value['role'] === 'string' &&
    (typeof value['content'] === 'string' || Array.isArray(value['content']))
  );
}
