import { nothingMore, runOf } from './body-matchers';
import { DIGITS, HEX, LETTERS_DIGITS, TOKEN, type CharacterSet } from './character-set';
import type { SecretRule } from './secret-rules';

/** A team's own secret: a literal text, or a literal start followed by a run of characters. */
export type MaskPattern =
  { kind: string; literal: string } | { kind: string; prefix: string; characters: RunCharacters; minLength: number };

export type RunCharacters = 'digits' | 'hex' | 'letters-digits' | 'token';

const RUNS: Readonly<Record<RunCharacters, CharacterSet>> = {
  digits: DIGITS,
  hex: HEX,
  'letters-digits': LETTERS_DIGITS,
  token: TOKEN,
};

/** Shorter ones would mask ordinary words. */
export const MIN_LITERAL_LENGTH = 4;
const MAX_LITERAL_LENGTH = 4_096;
const MAX_RUN = 1_024;

/** The rule of a team's pattern. Throws a RangeError that says what is wrong with it. */
export function secretRuleOf(pattern: MaskPattern): SecretRule {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(pattern.kind)) {
    throw new RangeError('the kind of a mask pattern is 1 to 40 lower-case letters, digits and hyphens');
  }
  const start = 'literal' in pattern ? pattern.literal : pattern.prefix;
  if (start.length < MIN_LITERAL_LENGTH || start.length > MAX_LITERAL_LENGTH) {
    throw new RangeError(
      `the literal text of a mask pattern has ${MIN_LITERAL_LENGTH} to ${MAX_LITERAL_LENGTH} characters`,
    );
  }
  if ('literal' in pattern) return { kind: pattern.kind, prefix: start, body: nothingMore, tail: null, anywhere: true };
  if (!Number.isInteger(pattern.minLength) || pattern.minLength < 1 || pattern.minLength > MAX_RUN) {
    throw new RangeError(`the run of a mask pattern has at least 1 and at most ${MAX_RUN} characters`);
  }
  const set = RUNS[pattern.characters];
  return { kind: pattern.kind, prefix: start, body: runOf(set, pattern.minLength), tail: set, anywhere: true };
}

/**
 * A pattern as a person writes it on one line: any text is a literal; a text that ends in `{characters,n}`, such as
 * `acme_{token,20}`, is a literal start and at least n characters of digits, hex, letters-digits or token.
 */
export function parseMaskPattern(text: string, kind = 'team-secret'): MaskPattern {
  const run = /^(.+)\{(digits|hex|letters-digits|token),(\d{1,4})\}$/s.exec(text);
  const pattern: MaskPattern = run
    ? { kind, prefix: run[1] ?? '', characters: run[2] as RunCharacters, minLength: Number(run[3]) }
    : { kind, literal: text };
  secretRuleOf(pattern);
  return pattern;
}
