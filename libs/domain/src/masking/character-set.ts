/** ASCII characters as a table; what is not ASCII belongs to no set. */
export type CharacterSet = Uint8Array;

/** The set of all characters in `ranges`, written as pairs: "azAZ09" is letters and digits. */
export function charactersIn(ranges: string, singles = ''): CharacterSet {
  const set = new Uint8Array(128);
  for (let i = 0; i + 1 < ranges.length; i += 2) set.fill(1, ranges.charCodeAt(i), ranges.charCodeAt(i + 1) + 1);
  for (const single of singles) set[single.charCodeAt(0)] = 1;
  return set;
}

export function contains(set: CharacterSet, code: number): boolean {
  return code < 128 && set[code] === 1;
}

/** The end of the run of `set` that starts at `from`: the first index that is outside, or the text's length. */
export function endOfRun(set: CharacterSet, text: string, from: number, limit = text.length): number {
  let at = from;
  while (at < limit && contains(set, text.charCodeAt(at))) at += 1;
  return at;
}

export const DIGITS = charactersIn('09');
export const UPPER_DIGITS = charactersIn('AZ09');
export const HEX = charactersIn('09afAF');
export const LETTERS_DIGITS = charactersIn('azAZ09');
export const WORD = charactersIn('azAZ09', '_');
/** Base64url, which most tokens are made of. */
export const TOKEN = charactersIn('azAZ09', '_-');
export const BASE64 = charactersIn('azAZ09', '+/');
