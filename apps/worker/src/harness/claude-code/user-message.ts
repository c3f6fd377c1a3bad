import type { TurnKind } from '@chirality/contracts';
import type { MessageBlock } from '../harness';

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
const DOCUMENTS: ReadonlySet<string> = new Set(['application/pdf']);

/**
 * The line that says the person's message. `client_composed` makes the program take it verbatim: neither `/clear` nor
 * `@/etc/passwd` in it means anything. A compaction is a separate operation and is sent as the command that it is.
 */
export function userMessage(
  kind: TurnKind,
  message: string,
  blocks: readonly MessageBlock[] = [],
): Record<string, unknown> {
  const content = kind === 'compact' ? '/compact' : contentOf(message, blocks);
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
    ...(kind === 'compact' ? {} : { client_composed: true }),
  };
}

function contentOf(message: string, blocks: readonly MessageBlock[]): string | Record<string, unknown>[] {
  return blocks.length === 0 ? message : [...blocks.map(apiBlock), { type: 'text', text: message }];
}

/**
 * The program passes on what it does not know and keeps it in the conversation, which the service would then refuse for
 * good: nothing but what is listed leaves here.
 */
function apiBlock({ type, mediaType, data }: MessageBlock): Record<string, unknown> {
  if (!(type === 'image' ? IMAGES : DOCUMENTS).has(mediaType))
    throw new Error(`no ${type} of type ${mediaType} goes into a message`);
  return { type, source: { type: 'base64', media_type: mediaType, data: data.toString('base64') } };
}
