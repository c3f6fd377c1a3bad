import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const STYLE = join(import.meta.dirname, '../../docs/style.md');

/**
 * Values on the wire and names of others that contain a listed word: `'nobody'` says who gets a variable, or is an
 * account.
 */
const FIXED_NAMES = /(['"`])nobody\1|\bnobody: '|\bGitLab\b|\bgitlab\b/g;

/** Between two words of a phrase: blanks, or the end of a line and the marker of a comment or quotation. */
const GAP = String.raw`(?:[ \t]+|[ \t]*\r?\n[ \t]*(?:(?:\*|\/\/|#|--|>)[ \t]*)?)`;

/** The words that docs/style.md lists as not to be used, as written there. */
export function oldWords(style = readFileSync(STYLE, 'utf8')) {
  const rows = style.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].flatMap(([, word]) => word ?? []));
}

/**
 * Every use of `words` in `text`: `[{ word, line }]`. A single word is also found as a part of an identifier or file
 * name (`turnJournal`, `turn-journal`), a prefix of constants at the start of a name only.
 * @param {string[]} words
 * @param {string} text
 */
export function usesOf(words, text) {
  const searched = text.replace(FIXED_NAMES, (name) => '-'.repeat(name.length));
  const uses = [...searched.matchAll(patternOf(words))];
  return uses.map(({ 0: word, index }) => ({ word, line: searched.slice(0, index).split('\n').length }));
}

/** @param {string[]} words */
function patternOf(words) {
  const alternatives = words.flatMap((word) => {
    if (word.endsWith('_')) return [String.raw`(?<![A-Z_])${word}(?=[A-Z])`];
    if (word.includes(' ')) return [String.raw`(?<![a-zA-Z])${phrase(word)}(?![a-zA-Z])`];
    const capital = word.charAt(0).toUpperCase() + word.slice(1);
    return [
      `(?<![a-zA-Z])${word}(?![a-z])`,
      `(?<![A-Z])${capital}(?![a-z])`,
      `(?<![A-Za-z])${word.toUpperCase()}(?![A-Za-z])`,
    ];
  });
  return new RegExp(alternatives.join('|'), 'g');
}

/** @param {string} words */
function phrase(words) {
  const first = words.charAt(0);
  const either = first.toUpperCase() === first ? first : `[${first}${first.toUpperCase()}]`;
  return (either + words.slice(1)).replaceAll(' ', GAP);
}
