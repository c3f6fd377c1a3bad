import { blocksOf, textOf, type ApiRequest } from '../api/request';
import { humanTexts } from './human-text';

/** One call of a tool since the person's newest message, with its result once there is one. */
export type ToolCall = {
  name: string;
  input: Record<string, unknown>;
  result: { text: string; isError: boolean } | null;
};

/**
 * What a script needs to know of a request. All of it is derived from the conversation itself, so a script continues
 * where it was after a restart, in a resumed session or in a fork.
 */
export type Conversation = {
  /** The person's newest message. */
  asked: string;
  /** The person's earlier messages, oldest first. */
  earlier: string[];
  /** How many answers have been given to the newest message. */
  step: number;
  /** The calls made in answer to the newest message, oldest first. */
  calls: ToolCall[];
  tools: ReadonlySet<string>;
  /** The schema that the answer has to follow; null where it is free. */
  answerSchema: Record<string, unknown> | null;
  /** Everything the program told the model besides: system prompt and reminders. */
  instructions: string;
  workingDirectory: string | null;
};

const WORKING_DIRECTORY = /(?:Primary working directory|Working directory|cwd)\s*:\s*`?([^\s`<]+)`?/i;

export function readConversation(request: ApiRequest): Conversation {
  const { messages } = request;
  const newest = messages.findLastIndex((message) => humanTexts(message).length > 0);
  const said = messages.slice(0, newest + 1).flatMap(humanTexts);
  const since = messages.slice(newest + 1);
  const instructions = [
    request.system,
    ...messages.map((message) => (message.role === 'assistant' ? '' : textOf(message.content))),
  ].join('\n');
  return {
    asked: said.at(-1) ?? '',
    earlier: said.slice(0, -1),
    step: since.filter((message) => message.role === 'assistant').length,
    calls: callsIn(since),
    tools: new Set(request.tools),
    answerSchema: request.answerSchema,
    instructions,
    workingDirectory: WORKING_DIRECTORY.exec(instructions)?.[1] ?? null,
  };
}

function callsIn(messages: ApiRequest['messages']): ToolCall[] {
  const blocks = messages.flatMap(blocksOf);
  const results = new Map(
    blocks.filter((block) => block.type === 'tool_result').map((block) => [block.tool_use_id, block]),
  );
  return blocks
    .filter((block) => block.type === 'tool_use')
    .map((block) => {
      const result = results.get(block.id);
      return {
        name: block.name ?? '',
        input: block.input ?? {},
        result: result ? { text: textOf(result.content), isError: result.is_error === true } : null,
      };
    });
}
