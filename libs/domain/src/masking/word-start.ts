import { contains, DIGITS, LETTERS_DIGITS } from './character-set';

const MAX_ESCAPE_LENGTH = 16;

/** Ends of escapes after which a new word starts although the character before it is a letter or digit. */
const ESCAPE_BEFORE =
  /(?:\\[abefnrtv0]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|(?:\u001b|\\e|\\x1b|\\u001b|\\033)\[[0-9;]{0,8}[a-z])$/i;
const [BACKSLASH, PERCENT, BRACKET, SEMICOLON] = [92, 37, 91, 59];

/**
 * Whether a word starts where `codeBefore(1)` is the character before it, `codeBefore(2)` the one before that; -1 for
 * none.
 */
export function startsWord(codeBefore: (distance: number) => number): boolean {
  const last = codeBefore(1);
  if (last < 0 || !contains(LETTERS_DIGITS, last)) return true;
  return mayEndEscape(codeBefore) && endsEscape(codeBefore);
}

/** A look at the few places where each kind of escape shows itself. */
function mayEndEscape(codeBefore: (distance: number) => number): boolean {
  const second = codeBefore(2);
  if (second === BACKSLASH || second === BRACKET || second === SEMICOLON || (second >= 0 && contains(DIGITS, second)))
    return true;
  return codeBefore(3) === PERCENT || codeBefore(4) === BACKSLASH || codeBefore(6) === BACKSLASH;
}

function endsEscape(codeBefore: (distance: number) => number): boolean {
  let before = '';
  for (let distance = 1; distance <= MAX_ESCAPE_LENGTH; distance += 1) {
    const code = codeBefore(distance);
    if (code < 0) break;
    before = String.fromCharCode(code) + before;
  }
  return ESCAPE_BEFORE.test(before);
}
