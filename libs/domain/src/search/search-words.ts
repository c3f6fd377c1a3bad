/** A word of a text, as it is compared, and where it stands: UTF-16 units, the end not included. */
export type SearchWord = { word: string; start: number; end: number };

/** Longer ones are encoded data, which is not searched for and would fill the index. */
const MAX_WORD_CHARS = 64;

/** Scripts that put no space between words: each of their signs is a word, and several in a row are a phrase. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const ASCII = /^[\x20-\x7e]*$/;

/** Without case and accents, so that `Resume` and `résumé` are the same word. */
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC');
}

/** The words of a text in their order: letters and digits, everything else stands between words. */
export function searchWords(text: string): SearchWord[] {
  const words: SearchWord[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = foldWord(match[0]);
    if (word !== '' && word.length <= MAX_WORD_CHARS)
      words.push({ word, start: match.index, end: match.index + match[0].length });
  }
  return words;
}

/** A text as the index takes it: its words, folded, with one space between. */
export function indexedText(text: string): string {
  return searchWords(text)
    .map(({ word }) => word)
    .join(' ');
}
