import { parseUnifiedDiff, type DiffLine } from '@chirality/domain';
import type { HighlightTree } from '../code/highlighter';
import { piecesOf, tokensOfHunk } from './line-tokens';

const linesOf = (...body: string[]): DiffLine[] =>
  parseUnifiedDiff(['--- a/f', '+++ b/f', '@@ -1,9 +1,9 @@', ...body, ''].join('\n'))[0]!.hunks[0]!.lines;

const COLOURS = /(?<comment>\/\*[^]*?\*\/)|(?<keyword>\b(?:const|let)\b)|(?<string>"[^"]*")/g;

/** A tree as the highlighter makes them, which is a module that only browsers load. */
function colour(code: string): HighlightTree {
  const children: HighlightTree['children'] = [];
  let at = 0;
  for (const match of code.matchAll(COLOURS)) {
    const [kind] = Object.entries(match.groups!).find(([, text]) => text !== undefined)!;
    if (match.index > at) children.push({ type: 'text', value: code.slice(at, match.index) });
    const inner = { type: 'text' as const, value: match[0] };
    children.push({ type: 'element', tagName: 'span', properties: { className: [`hljs-${kind}`] }, children: [inner] });
    at = match.index + match[0].length;
  }
  return { type: 'root', children: [...children, { type: 'text', value: code.slice(at) }] };
}

describe('the colours of a hunk', () => {
  it('are those of its old and of its new text, of which a comment may span lines', () => {
    const lines = linesOf(' /* a', '-b */ const x = 1;', '+c', '+*/ let y = "z";');
    const tokens = tokensOfHunk(lines, colour);
    const shown = lines.map((line) => tokens.get(line)!.map(({ text, className }) => [text, className]));
    expect(shown[0]).toEqual([['/* a', 'hljs-comment']]);
    expect(shown[1]!.slice(0, 3)).toEqual([
      ['b */', 'hljs-comment'],
      [' ', null],
      ['const', 'hljs-keyword'],
    ]);
    expect(shown[2]).toEqual([['c', 'hljs-comment']]);
    expect(shown[3]!.at(-2)).toEqual(['"z"', 'hljs-string']);
  });

  it('leave out a line that they would not show as it is', () => {
    const [line] = linesOf('+const x = 1;');
    expect(tokensOfHunk([line!], () => colour('const x = 2;')).size).toBe(0);
    expect(tokensOfHunk([line!], () => null).size).toBe(0);
  });
});

describe('the parts of a line', () => {
  const tokens = [
    { text: 'const', className: 'k' },
    { text: ' x = 12;', className: null },
  ];

  it('are cut where a colour and where a change begins or ends', () => {
    expect(piecesOf('const x = 12;', tokens, { from: 3, to: 7 })).toEqual([
      { text: 'con', className: 'k', isChanged: false },
      { text: 'st', className: 'k', isChanged: true },
      { text: ' x', className: null, isChanged: true },
      { text: ' = 12;', className: null, isChanged: false },
    ]);
  });

  it('are one where nothing is coloured and nothing changed', () => {
    const whole = [{ text: 'plain', className: null, isChanged: false }];
    expect(piecesOf('plain', undefined, undefined)).toEqual(whole);
    expect(piecesOf('plain', undefined, { from: 2, to: 2 })).toEqual(whole);
    expect(piecesOf('', undefined, undefined)).toEqual([]);
  });

  it('end where the shown text ends, without its carriage return', () => {
    expect(piecesOf('ab', [{ text: 'ab\r', className: 'k' }], undefined)).toEqual([
      { text: 'ab', className: 'k', isChanged: false },
    ]);
  });
});
