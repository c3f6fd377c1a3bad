import { safe, safeText, type SafeText } from '../text/safe-text';

/** One row of the screen. `tone` says what it is, and colour is only one way to show that. */
export type Line = { text: SafeText; tone?: 'user' | 'dim' | 'error' | 'warning' | 'added' | 'removed' | 'tool' };

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

function widthOf(character: string): number {
  return WIDE.test(character) ? 2 : /\p{Mark}/u.test(character) ? 0 : 1;
}

/** Breaks a text into rows of at most that many columns, between words where it can. */
function wrap(text: string, columns: number): string[] {
  const width = Math.max(8, columns);
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  if (line.length <= width && !WIDE.test(line)) return [line];
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const character of line) {
    const wide = widthOf(character);
    if (used + wide > width) {
      const space = row.lastIndexOf(' ');
      const keep = space > 0 && row.slice(0, space).trim() !== '' ? space : row.length;
      rows.push(row.slice(0, keep));
      row = row.slice(keep).trimStart();
      used = [...row].reduce((sum, each) => sum + widthOf(each), 0);
    }
    row += character;
    used += wide;
  }
  rows.push(row);
  return rows;
}

/** Wrapped rows of one tone, each behind a margin. */
export function toned(text: SafeText, columns: number, tone?: Line['tone'], first = '', margin = first): Line[] {
  return wrap(text, columns - first.length).map((row, at) => ({
    text: safeText(`${at === 0 ? first : margin}${row}`),
    ...(tone === undefined ? {} : { tone }),
  }));
}

/**
 * Every character of a text, broken at the edge alone. What is not ASCII counts as two columns, which no terminal
 * exceeds: a row that is longer than the screen would lose its end.
 */
export function exactLines(text: SafeText, columns: number, first = '', margin = first, tone?: Line['tone']): Line[] {
  const width = Math.max(2, columns - Math.max(first.length, margin.length));
  return text
    .split('\n')
    .flatMap((line) => chopped(line, width))
    .map((row, at) => ({
      text: safeText(`${at === 0 ? first : margin}${row}`),
      ...(tone === undefined ? {} : { tone }),
    }));
}

function chopped(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const character of line) {
    const wide = character > '~' ? 2 : 1;
    if (used + wide > width) {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += character;
    used += wide;
  }
  return [...rows, row];
}

/** The first rows, and how many are left out. */
export function firstLines(lines: Line[], count: number): Line[] {
  if (lines.length <= count) return lines;
  return [...lines.slice(0, count - 1), { text: safe`  … ${lines.length - count + 1} more lines`, tone: 'dim' }];
}
