import { contains, LETTERS_DIGITS } from './character-set';

/** How many characters before a position decide whether a word starts there. */
export const WORD_START_REACH = 16;

/** Ends of escapes after which a new word starts although the character before it is a letter or digit. */
const ESCAPE_BEFORE = /(?:\\[abefnrtv0]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|(?:\u001b|\\e|\\x1b|\\u001b|\\033)\[[0-9;]{0,8}[a-z])$/i;

/** Whether a word starts after `before`, which holds at least the last WORD_START_REACH characters of what precedes. */
export function startsWord(before: string): boolean {
  if (before === '' || !contains(LETTERS_DIGITS, before.charCodeAt(before.length - 1))) return true;
  return ESCAPE_BEFORE.test(before);
}
