/** The anchor that Markdown viewers give a heading: `## What’s new?` is reached by `#whats-new`. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * Which of a document's headings an anchor names: headings of the same text are counted, `#notes`, `#notes-1`; -1 for
 * none.
 */
export function headingAt(headings: readonly string[], anchor: string): number {
  const seen = new Map<string, number>();
  return headings.findIndex((heading) => {
    const name = anchorOf(heading);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return (count === 0 ? name : `${name}-${count}`) === anchor;
  });
}
