import type { DiffHunk, DiffLine, FilePatch } from './parse-patch';

/** Above this many cells the exact comparison is not worth its time, and the middle is shown as replaced. */
const MAX_CELLS = 1_000_000;

type Step = { kind: DiffLine['kind']; text: string };

function replaceAll(before: readonly string[], after: readonly string[]): Step[] {
  return [
    ...before.map((text): Step => ({ kind: 'removed', text })),
    ...after.map((text): Step => ({ kind: 'added', text })),
  ];
}

/** The shortest edit between two lists of lines, by the longest common subsequence. */
function editBetween(before: readonly string[], after: readonly string[]): Step[] {
  if (before.length * after.length > MAX_CELLS) return replaceAll(before, after);
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      steps.push({ kind: 'context', text: before[i]! });
      i++;
      j++;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
      steps.push({ kind: 'removed', text: before[i++]! });
    else steps.push({ kind: 'added', text: after[j++]! });
  }
  return [...steps, ...replaceAll(before.slice(i), after.slice(j))];
}

function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Compares two texts line by line, as one hunk that begins at line 1. Meant for the inputs of an edit, not for files of any size. */
export function diffTexts(path: string | null, before: string, after: string): FilePatch {
  const old = splitLines(before);
  const now = splitLines(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const keep = (lines: string[]): Step[] => lines.map((text) => ({ kind: 'context', text }));
  const steps = [
    ...keep(old.slice(0, start)),
    ...editBetween(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...keep(old.slice(old.length - end)),
  ];
  let oldLine = 1;
  let newLine = 1;
  const lines = steps.map(({ kind, text }): DiffLine => ({
    kind,
    text,
    oldLine: kind === 'added' ? null : oldLine++,
    newLine: kind === 'removed' ? null : newLine++,
  }));
  const hunks: DiffHunk[] = lines.length === 0 ? [] : [{ oldStart: 1, newStart: 1, lines }];
  return {
    path,
    hunks,
    additions: lines.filter((line) => line.kind === 'added').length,
    deletions: lines.filter((line) => line.kind === 'removed').length,
  };
}
