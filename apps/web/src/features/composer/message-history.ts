import type { TranscriptState } from '@chirality/domain';

/** My messages of this session, the latest first, each once. */
export function ownMessages({ turns }: Pick<TranscriptState, 'turns'>, myId: string): string[] {
  const own = turns
    .filter((turn) => turn.kind === 'message' && turn.authorId === myId && turn.message !== null && turn.message !== '')
    .map((turn) => turn.message!);
  return [...new Set(own.reverse())];
}

/** What a step through one's own messages shows: null where it changes nothing. Only an empty field, or one that shows a recalled message as it was, is stepped through. */
export function recalled(messages: readonly string[], text: string, step: 'older' | 'newer'): string | null {
  const at = text === '' ? -1 : messages.indexOf(text);
  if (text !== '' && at === -1) return null;
  const next = step === 'older' ? at + 1 : at - 1;
  if (next < -1 || next >= messages.length) return null;
  return next === -1 ? '' : messages[next]!;
}
