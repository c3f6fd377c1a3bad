import { contains } from './character-set';
import { ENDS_CONTEXT, STARTS_ANYWHERE, STARTS_WORD, tripleHash, type CompiledRules } from './compiled-rules';
import { URL_PASSWORD } from './secret-rules';

const COLON = 58;

/**
 * A second, cheaper look at a pair of characters that a prefix could start with or the words before a secret end with:
 * false only where the characters around it rule that out. `last` and `code` stand at `at - 1` and `at`.
 */
export function mayMatter(
  rules: CompiledRules,
  text: string,
  at: number,
  last: number,
  code: number,
  flags: number,
): boolean {
  if ((flags & (STARTS_ANYWHERE | STARTS_WORD)) !== 0) {
    const third = at + 1 < text.length ? text.charCodeAt(at + 1) : 128;
    if (third >= 128 || rules.triples[tripleHash(last, code, third)] === 1) return true;
  }
  if ((flags & ENDS_CONTEXT) === 0) return false;
  if (code === COLON) return at + 1 >= text.length || contains(URL_PASSWORD, text.charCodeAt(at + 1));
  return at < 2 || rules.endings[tripleHash(text.charCodeAt(at - 2), last, code)] === 1;
}

/** Whether a whole text can be passed as it is. False also where that is not certain. */
export function isOrdinary(rules: CompiledRules, text: string): boolean {
  if (rules.startsBeyondAscii) return false;
  const { pairs } = rules;
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code | last) < 128) {
      const flags = pairs[(last << 7) | code] as number;
      if (flags !== 0 && mayMatter(rules, text, at, last, code, flags)) return false;
    }
    last = code;
  }
  return true;
}
