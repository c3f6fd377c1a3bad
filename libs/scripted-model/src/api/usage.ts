import type { ApiRequest } from './request';
import type { ApiUsage, ReplyBlock } from './reply';

const CHARACTERS_PER_TOKEN = 4;

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/**
 * Counts that look like a real model's: what came before the newest message is read from the cache once the
 * conversation has an answer, and written to it before.
 */
export function estimateUsage(request: ApiRequest, blocks: readonly ReplyBlock[]): ApiUsage {
  const newest = tokensOf(JSON.stringify(request.messages.at(-1) ?? ''));
  const before = tokensOf(request.system + JSON.stringify(request.messages.slice(0, -1))) + request.tools.length * 150;
  const isFirst = !request.messages.some((message) => message.role === 'assistant');
  return {
    input_tokens: newest,
    output_tokens: Math.max(1, tokensOf(blocks.map(contentOf).join(''))),
    cache_creation_input_tokens: isFirst ? before : 0,
    cache_read_input_tokens: isFirst ? 0 : before,
  };
}

function contentOf(block: ReplyBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'thinking') return block.thinking;
  return block.type === 'tool_use' ? JSON.stringify(block.input) : block.data;
}
