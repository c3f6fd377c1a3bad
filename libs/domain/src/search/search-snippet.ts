import type { SearchHit } from '@chirality/contracts';
import { foldWord, searchWords, type SearchWord } from './search-words';
import type { SearchTerm } from './search-query';

type Range = { start: number; end: number };

const SNIPPET_CHARS = 220;
/** So much of what comes before the first mark is shown with it. */
const BEFORE_CHARS = 60;
const MAX_MARKS = 20;
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The part of a text that holds what was searched for, on one line, and where it stands there. */
export function searchSnippet(text: string, terms: readonly SearchTerm[]): Pick<SearchHit, 'snippet' | 'marks'> {
  const line = text.replace(CONTROLS, ' ');
  const found = marksIn(line, terms);
  const first = found[0]?.start ?? 0;
  const from = wordStart(line, Math.max(0, first - BEFORE_CHARS), first);
  const to = wordEnd(line, Math.min(line.length, from + SNIPPET_CHARS));
  const before = from > 0 ? '…' : '';
  const marks = found
    .filter(({ start, end }) => start >= from && end <= to)
    .slice(0, MAX_MARKS)
    .map(({ start, end }) => ({ start: start - from + before.length, end: end - from + before.length }));
  return { snippet: `${before}${line.slice(from, to)}${to < line.length ? '…' : ''}`, marks };
}

function marksIn(line: string, terms: readonly SearchTerm[]): Range[] {
  const words = searchWords(line);
  const exact = terms.flatMap((term) => runsOf(words, term));
  const found = exact.length > 0 ? exact : partsOf(line, terms);
  return joined(found.length > 0 ? found : words.filter(({ word }) => terms.some((term) => isRelated(word, term))));
}

/** Where the words of a term stand in a row. */
function runsOf(words: readonly SearchWord[], { words: wanted, prefix }: SearchTerm): Range[] {
  return words.flatMap(({ start }, at) => {
    const fits = wanted.every((word, offset) => {
      const own = words[at + offset]?.word;
      return prefix && offset === wanted.length - 1 ? own?.startsWith(word) === true : own === word;
    });
    const last = words[at + wanted.length - 1];
    return fits && last !== undefined ? [{ start, end: last.end }] : [];
  });
}

/** Parts of words, by which names and paths are found; where folding changes lengths nothing is marked. */
function partsOf(line: string, terms: readonly SearchTerm[]): Range[] {
  const folded = foldWord(line);
  if (folded.length !== line.length) return [];
  return terms.flatMap(({ words }) =>
    words.flatMap((word) => {
      const start = folded.indexOf(word);
      return start === -1 ? [] : [{ start, end: start + word.length }];
    }),
  );
}

/** Another form of the same English word, as far as that shows without a dictionary. */
function isRelated(word: string, { words: wanted }: SearchTerm): boolean {
  return wanted.some((each) => {
    const shared = Math.min(word.length, each.length) - 1;
    return shared >= 2 && word.slice(0, shared) === each.slice(0, shared) && Math.abs(word.length - each.length) <= 4;
  });
}

function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

/** The beginning of a word at or after `at`, so that none is cut; `limit` at the latest. */
function wordStart(line: string, at: number, limit: number): number {
  if (at === 0) return 0;
  const space = line.indexOf(' ', at);
  const start = space === -1 || space >= limit ? at : space + 1;
  return isLowSurrogate(line, start) ? start + 1 : start;
}

function wordEnd(line: string, at: number): number {
  return isLowSurrogate(line, at) ? at - 1 : at;
}

function isLowSurrogate(line: string, at: number): boolean {
  const unit = line.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
