import { contains, DIGITS, endOfRun, TOKEN, type CharacterSet } from './character-set';

/** The text ends before it is certain whether a secret stands here. */
export const UNDECIDED = -1;
export const NO_SECRET = -2;

/** Where the certain part of a secret ends, given the index after its start; or one of the two constants above. */
export type BodyMatcher = (text: string, from: number) => number;

/** The prefix alone is the secret. */
export const nothingMore: BodyMatcher = (_text, from) => from;

/** At least `minLength` characters of `set`. */
export function runOf(set: CharacterSet, minLength: number): BodyMatcher {
  return (text, from) => {
    const end = endOfRun(set, text, from, Math.min(text.length, from + minLength));
    if (end - from === minLength) return end;
    return end === text.length ? UNDECIDED : NO_SECRET;
  };
}

/**
 * At least `minLength` characters of `set` with a digit among them, or `certainLength` without one. Random tokens
 * almost always have a digit, names of things in prose and style sheets hardly ever do.
 */
export function runWithDigit(set: CharacterSet, minLength: number, certainLength: number): BodyMatcher {
  return (text, from) => {
    const limit = Math.min(text.length, from + certainLength);
    let hasDigit = false;
    for (let at = from; at < limit; at += 1) {
      const code = text.charCodeAt(at);
      if (!contains(set, code)) return NO_SECRET;
      hasDigit ||= contains(DIGITS, code);
      const length = at - from + 1;
      if (length === certainLength || (hasDigit && length >= minLength)) return at + 1;
    }
    return UNDECIDED;
  };
}

const DOT = 46;
const MAX_JWT_HEADER_LENGTH = 2_048;
const MIN_JWT_PART_LENGTH = 8;
const JWT_START = 'eyJ';
const startOfPayload = runOf(TOKEN, MIN_JWT_PART_LENGTH);

/** The rest of a JSON web token after its first "eyJ": the header, a dot, and a payload that is a JSON object too. */
export const jsonWebToken: BodyMatcher = (text, from) => {
  const headerEnd = endOfRun(TOKEN, text, from, Math.min(text.length, from + MAX_JWT_HEADER_LENGTH));
  if (headerEnd === text.length) return headerEnd - from < MAX_JWT_HEADER_LENGTH ? UNDECIDED : NO_SECRET;
  if (headerEnd - from < MIN_JWT_PART_LENGTH || text.charCodeAt(headerEnd) !== DOT) return NO_SECRET;
  const payload = text.slice(headerEnd + 1, headerEnd + 1 + JWT_START.length);
  if (!JWT_START.startsWith(payload)) return NO_SECRET;
  return payload === JWT_START ? startOfPayload(text, headerEnd + 1 + JWT_START.length) : UNDECIDED;
};

/** A password in a URL: up to the "@", which does not belong to it. */
export function upToAt(set: CharacterSet, maxLength: number): BodyMatcher {
  return (text, from) => {
    const end = endOfRun(set, text, from, Math.min(text.length, from + maxLength + 1));
    if (end - from > maxLength) return NO_SECRET;
    if (end === text.length) return UNDECIDED;
    return end > from && text[end] === '@' ? end : NO_SECRET;
  };
}
