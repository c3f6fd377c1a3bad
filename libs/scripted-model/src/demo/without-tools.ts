import { message, text, type Reply } from '../api/reply';
import type { Conversation } from '../conversation/conversation';
import { compact } from './scripts/compact';

const MAX_TITLE_WORDS = 6;

/**
 * The program's side requests have no tools: titles, summaries, digests. They get something short of the form they ask
 * for.
 */
export function answerWithoutTools(conversation: Conversation): { reply: Reply; label: string } {
  if (compact.fits(conversation)) return { reply: compact.play(conversation), label: compact.name };
  const wants = `${conversation.instructions}\n${conversation.asked}`;
  if (!/\btitle\b|\bname\b|\btopic\b/i.test(wants))
    return { reply: message(text(`In short: ${firstWords(conversation.asked, 40)}`)), label: 'digest' };
  const title = firstWords(conversation.asked, MAX_TITLE_WORDS);
  return { reply: message(text(/"title"/.test(wants) ? JSON.stringify({ title }) : title)), label: 'title' };
}

function firstWords(from: string, count: number): string {
  const words = from
    .replace(/[^\p{L}\p{N}\s.,'-]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean);
  return words.slice(0, count).join(' ') || 'Untitled';
}
