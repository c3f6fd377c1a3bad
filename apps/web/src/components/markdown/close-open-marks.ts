/**
 * A growing block ends anywhere: within bold text, a link, inline code. Shown as it is, the raw marks flash until their
 * other half arrives. This closes what is open and hides what cannot be known yet; the block is shown untouched once it
 * is whole. Code fences need no help: markdown lets them run to the end.
 */
export function closeOpenMarks(block: string): string {
  if (/^ {0,3}(`{3,}|~{3,})/.test(block)) return block;
  const lastLineStart = block.lastIndexOf('\n') + 1;
  const lastLine = block.slice(lastLineStart);
  // A line of dashes may become a rule, a heading's underline, a table or a list: it is not shown before it is decided.
  if (/^\s*(?:[-=*_+|: ]+|#{1,6}|>|\d{1,9}[.)]?)\s*$/.test(lastLine)) return block.slice(0, lastLineStart);
  return closeInline(block);
}

function closeInline(text: string): string {
  const code = openCodeSpan(text);
  if (code !== null)
    return text.length === code.end ? text.slice(0, code.start) : `${text}${'`'.repeat(code.end - code.start)}`;
  return closeEmphasis(withoutOpenLink(text));
}

/** The backticks of a code span that is not closed yet. */
function openCodeSpan(text: string): { start: number; end: number } | null {
  const runs = [...text.matchAll(/`+/g)].filter((run) => text[run.index - 1] !== '\\');
  for (let at = 0; at < runs.length;) {
    const open = runs[at]!;
    const close = runs.findIndex((run, other) => other > at && run[0].length === open[0].length);
    if (close === -1) return { start: open.index, end: open.index + open[0].length };
    at = close + 1;
  }
  return null;
}

function withoutOpenLink(text: string): string {
  const target = /!?\[([^\]\n]*)\]\([^)\n]*$/.exec(text);
  if (target !== null) return text.slice(0, target.index) + target[1]!;
  const label = /!?\[([^\]\n]*)$/.exec(text);
  return label === null ? text : text.slice(0, label.index) + label[1]!;
}

const MARKS = /(?<!\\)(\*\*\*|\*\*|\*|~~|___|__|_)/g;

function closeEmphasis(text: string): string {
  const visible = text.replace(/`[^`\n]*`/g, (span) => ' '.repeat(span.length));
  const open: { mark: string; end: number }[] = [];
  for (const match of visible.matchAll(MARKS)) {
    const mark = match[0];
    const before = visible[match.index - 1] ?? ' ';
    const after = visible[match.index + mark.length];
    const isWordInner = mark.startsWith('_') && /\w/.test(before) && after !== undefined && /\w/.test(after);
    if (isWordInner || isListMarker(visible, match.index, mark)) continue;
    const at = open.findLastIndex((other) => other.mark === mark);
    if (at !== -1 && !/\s/.test(before)) open.splice(at);
    else if (after === undefined || !/\s/.test(after)) open.push({ mark, end: match.index + mark.length });
  }
  let shown = text;
  for (const { mark, end } of open.reverse()) {
    shown = shown.slice(end).trim() === '' ? shown.slice(0, end - mark.length) : `${shown.trimEnd()}${mark}`;
  }
  return shown;
}

function isListMarker(text: string, at: number, mark: string): boolean {
  return mark === '*' && /(?:^|\n)\s*$/.test(text.slice(0, at)) && /\s/.test(text[at + 1] ?? '');
}
