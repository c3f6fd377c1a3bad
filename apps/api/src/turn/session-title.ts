import type { Session } from '@chirality/contracts';
import { maskText } from '@chirality/domain';

/** What a session is called until its first message, or a person, gives it a name. */
export const UNTITLED = 'New session';

const LONGEST = 60;

/** A title from a first message: its first line with words in it, cut at a word; null when the session has one or the message gives none. */
export function titleFromMessage(session: Pick<Session, 'title'>, message: string): string | null {
  if (session.title !== UNTITLED) return null;
  const line = message
    .slice(0, 4_000)
    .split('\n')
    .map(plainText)
    .find((text) => /\p{L}|\p{N}/u.test(text));
  if (line === undefined) return null;
  const masked = maskText(line);
  if (masked.length <= LONGEST) return masked;
  const cut = masked.slice(0, LONGEST - 1).toWellFormed();
  return `${cut.slice(0, cut.lastIndexOf(' ') > LONGEST / 2 ? cut.lastIndexOf(' ') : undefined).trimEnd()}…`;
}

function plainText(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/^[\s#>*`-]+/, '')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
