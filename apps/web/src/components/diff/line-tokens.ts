import type { DiffLine } from '@chirality/domain';
import type { HighlightTree } from '../code/highlighter';
import type { WordRange } from './changed-words';

/** A part of a line that is shown in one colour; null: in the text's own. */
export type Token = { text: string; className: string | null };
type Piece = Token & { isChanged: boolean };

type Node = HighlightTree['children'][number];

/** The tokens of coloured code, line by line. A token that spans lines is cut at their ends. */
function tokenLines(tree: HighlightTree): Token[][] {
  const lines: Token[][] = [[]];
  const visit = (node: Node, className: string | null): void => {
    if (node.type === 'text') {
      node.value.split('\n').forEach((text, at) => {
        if (at > 0) lines.push([]);
        if (text !== '') lines.at(-1)!.push({ text, className });
      });
    } else if (node.type === 'element') {
      const own = node.properties.className;
      const inner = Array.isArray(own) ? own.join(' ') : className;
      for (const child of node.children) visit(child, inner);
    }
  };
  for (const child of tree.children) visit(child, null);
  return lines;
}

/**
 * The tokens of each line of a hunk. Both sides are coloured as a whole, since a comment or a string may span lines. A
 * line whose tokens do not say exactly what it says has none, so that colours never change what is read.
 */
export function tokensOfHunk(
  lines: readonly DiffLine[],
  colour: (code: string) => HighlightTree | null,
): Map<DiffLine, Token[]> {
  const tokens = new Map<DiffLine, Token[]>();
  for (const left of ['added', 'removed'] as const) {
    const side = lines.filter(({ kind }) => kind !== left);
    const tree = colour(side.map(({ text }) => text).join('\n'));
    const coloured = tree === null ? [] : tokenLines(tree);
    side.forEach((line, at) => {
      const own = coloured[at];
      if (own !== undefined && own.map(({ text }) => text).join('') === line.text) tokens.set(line, own);
    });
  }
  return tokens;
}

/** A line in parts: by its colours, and within them by whether they are what changed. */
export function piecesOf(text: string, tokens: readonly Token[] | undefined, range: WordRange | undefined): Piece[] {
  const { from, to } = range ?? { from: 0, to: 0 };
  const pieces: Piece[] = [];
  let start = 0;
  for (const token of tokens ?? [{ text, className: null }]) {
    const end = Math.min(start + token.text.length, text.length);
    const cuts = [start, ...[from, to].filter((cut) => start < cut && cut < end && from < to), end];
    for (let at = 0; at + 1 < cuts.length; at++) {
      const [begin, stop] = [cuts[at]!, cuts[at + 1]!];
      if (begin === stop) continue;
      const isChanged = from <= begin && stop <= to;
      pieces.push({ text: text.slice(begin, stop), className: token.className, isChanged });
    }
    start = end;
  }
  return pieces;
}
