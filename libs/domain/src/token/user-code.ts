/** Letters that make no words and are not taken for each other or for digits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const GROUP = 4;

/** Enough that practically never too few of them are usable. */
export const USER_CODE_RANDOM_BYTES = 32;

/** A code that a person reads on one screen and types on another: `WDJB-MJHT`, of 20^8 (34 bits). */
export function userCodeOf(random: Uint8Array): string {
  const letters = [...random]
    // Bytes beyond the last whole multiple of 20 would prefer the first letters.
    .filter((byte) => byte < 240)
    .slice(0, LENGTH)
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join('');
  if (letters.length < LENGTH) throw new RangeError('too few random bytes for a code');
  return `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}`;
}

/** The code as it was shown, of what was typed: blanks, dashes and small letters do not matter. Null for no code. */
export function typedUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s\p{Pd}._]/gu, '');
  if (letters.length !== LENGTH || [...letters].some((letter) => !LETTERS.includes(letter))) return null;
  return `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}`;
}
