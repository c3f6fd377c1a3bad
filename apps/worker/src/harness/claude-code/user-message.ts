import type { TurnKind } from '@chirality/contracts';

/**
 * The line that says the person's message. `client_composed` makes the program take it verbatim: neither `/clear` nor
 * `@/etc/passwd` in it means anything. A compaction is a separate operation and is sent as the command that it is.
 */
export function userMessage(kind: TurnKind, message: string): Record<string, unknown> {
  const content = kind === 'compact' ? '/compact' : message;
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
    ...(kind === 'compact' ? {} : { client_composed: true }),
  };
}
