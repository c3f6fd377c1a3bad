/** Events as scenarios expect them. */
export const complete = (messageId: string, text: string, block = 0, parentToolUseId?: string) => ({
  kind: 'chat:complete',
  messageId,
  block,
  text,
  parentToolUseId,
});
export const delta = (messageId: string, text: string, block = 0, parentToolUseId?: string) => ({
  kind: 'chat:delta',
  messageId,
  block,
  text,
  parentToolUseId,
});
export const notice = (level: string, code: string, text: string) => ({ kind: 'turn:notice', level, code, text });
