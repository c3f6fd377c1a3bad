import { searchWords } from './search-words';

/**
 * Words that have to stand in a row; one word for most. The last word of a `prefix` may be the beginning of a longer
 * one.
 */
export type SearchTerm = { words: string[]; prefix: boolean };

/** What a person searches for, and why that is nothing that can be searched for. */
type ParsedSearch = { terms: SearchTerm[] } | { fault: string };

const MAX_TERMS = 12;
/** Of one letter most words begin. */
const MIN_PREFIX_CHARS = 2;
const PART = /"([^"]*)"|([^\s"]+)/gu;

/**
 * Every term has to be found. What stands in quotes is a phrase, and so is what other signs hold together, such as
 * `foo_bar` or `src/main.ts`. The last term may be the beginning of a word, unless it is in quotes or a space follows.
 */
export function parseSearch(text: string): ParsedSearch {
  if ((text.match(/"/gu)?.length ?? 0) % 2 === 1)
    return { fault: 'A quotation mark is not closed. Add the second one, or remove it.' };
  const terms: SearchTerm[] = [];
  for (const [whole, quoted, plain] of text.matchAll(PART)) {
    const words = searchWords(quoted ?? plain ?? '').map(({ word }) => word);
    if (words.length === 0) continue;
    const isLast = text.endsWith(whole);
    const prefix = isLast && quoted === undefined && (words.at(-1)?.length ?? 0) >= MIN_PREFIX_CHARS;
    terms.push({ words, prefix });
  }
  if (terms.length === 0) return { fault: 'Type a word to search for: letters or digits.' };
  if (terms.length > MAX_TERMS) return { fault: `Search for at most ${MAX_TERMS} words at once.` };
  return { terms };
}

/** A term as text of a `tsquery`: words are letters and digits only, so nothing in it is an operator by accident. */
export function queryText({ words, prefix }: SearchTerm): string {
  return words.map((word, at) => `'${word}'${prefix && at === words.length - 1 ? ':*' : ''}`).join(' <-> ');
}
