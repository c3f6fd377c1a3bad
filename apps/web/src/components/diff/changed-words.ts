import type { DiffLine } from '@chirality/domain';

export type WordRange = { from: number; to: number };

/** The part of two lines that differs: what is between their common beginning and their common end. */
function differing(before: string, after: string): { before: WordRange; after: WordRange } | null {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  // Lines with little in common are not one line that changed.
  if (start + end < Math.max(before.length, after.length) * 0.3) return null;
  return { before: { from: start, to: before.length - end }, after: { from: start, to: after.length - end } };
}

/**
 * For each line of a hunk that replaces another, what in it changed. Blocks are paired where both sides have as many
 * lines.
 */
export function changedWords(lines: readonly DiffLine[]): Map<DiffLine, WordRange> {
  const ranges = new Map<DiffLine, WordRange>();
  for (let at = 0; at < lines.length;) {
    const removed: DiffLine[] = [];
    const added: DiffLine[] = [];
    while (lines[at]?.kind === 'removed') removed.push(lines[at++]!);
    while (lines[at]?.kind === 'added') added.push(lines[at++]!);
    if (removed.length === 0 && added.length === 0) at++;
    if (removed.length !== added.length) continue;
    removed.forEach((before, pair) => {
      const after = added[pair]!;
      const change = differing(before.text, after.text);
      if (change === null) return;
      ranges.set(before, change.before);
      ranges.set(after, change.after);
    });
  }
  return ranges;
}
