import { readGitPath } from './git-path';
import { readFields, readList, readNumber, readText } from './read-payload';

export type DiffLine = {
  kind: 'context' | 'added' | 'removed';
  text: string;
  oldLine: number | null;
  newLine: number | null;
};
export type DiffHunk = { oldStart: number; newStart: number; lines: DiffLine[] };
export type FilePatch = { path: string | null; hunks: DiffHunk[]; additions: number; deletions: number };

function numberLines(oldStart: number, newStart: number, lines: readonly string[]): DiffHunk {
  let oldLine = oldStart;
  let newLine = newStart;
  const numbered: DiffLine[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('+')) numbered.push({ kind: 'added', text, oldLine: null, newLine: newLine++ });
    else if (line.startsWith('-')) numbered.push({ kind: 'removed', text, oldLine: oldLine++, newLine: null });
    else if (!line.startsWith('\\')) numbered.push({ kind: 'context', text, oldLine: oldLine++, newLine: newLine++ });
  }
  return { oldStart, newStart, lines: numbered };
}

function filePatch(path: string | null, hunks: DiffHunk[]): FilePatch {
  const count = (kind: DiffLine['kind']) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0);
  return { path, hunks, additions: count('added'), deletions: count('removed') };
}

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

function pathOf(headerLine: string): string | null {
  const { path } = readGitPath(headerLine.slice(4));
  if (path === '/dev/null') return null;
  return path.replace(/^[ab]\//, '');
}

/** The new name in `diff --git a/OLD b/NEW`, where one or both may be quoted. */
function pathOfGitHeader(line: string): string | null {
  const names = line.slice('diff --git '.length);
  const second = names.startsWith('"') ? names.slice(readGitPath(names).length + 1) : / ("?b\/.+)$/.exec(names)?.[1];
  return second === undefined || second === '' ? null : readGitPath(second).path.replace(/^b\//, '');
}

/** Splits a unified diff, of one file or of many, into files and hunks. Lines that belong to no hunk are left out. */
export function parseUnifiedDiff(diff: string): FilePatch[] {
  const files: FilePatch[] = [];
  let path: string | null = null;
  let hunks: DiffHunk[] = [];
  const flush = () => {
    if (path !== null || hunks.length > 0) files.push(filePatch(path, hunks));
    path = null;
    hunks = [];
  };
  const lines = diff.split('\n');
  for (let at = 0; at < lines.length;) {
    const line = lines[at++]!;
    const header = HUNK_HEADER.exec(line);
    if (header !== null) {
      let oldLeft = Number(header[2] ?? 1);
      let newLeft = Number(header[4] ?? 1);
      const body: string[] = [];
      while (at < lines.length && (oldLeft > 0 || newLeft > 0)) {
        const bodyLine = lines[at]!;
        if (bodyLine !== '' && !/^[ +\-\\]/.test(bodyLine)) break;
        at++;
        body.push(bodyLine === '' ? ' ' : bodyLine);
        if (bodyLine.startsWith('+')) newLeft--;
        else if (bodyLine.startsWith('-')) oldLeft--;
        else if (!bodyLine.startsWith('\\')) {
          oldLeft--;
          newLeft--;
        }
      }
      hunks.push(numberLines(Number(header[1]), Number(header[3]), body));
    } else if (line.startsWith('diff --git ')) {
      flush();
      path = pathOfGitHeader(line);
    } else if (line.startsWith('--- ')) {
      if (hunks.length > 0) flush();
      path ??= pathOf(line);
    } else if (line.startsWith('+++ ')) {
      path = pathOf(line) ?? path;
    }
  }
  flush();
  return files;
}

function hunksOf(list: unknown[]): DiffHunk[] {
  return list.map((entry) => {
    const hunk = readFields(entry);
    return numberLines(readNumber(hunk.oldStart), readNumber(hunk.newStart), readList(hunk.lines).map(readText));
  });
}

/**
 * The `patch` of a tool result in any form that a harness gives it: a list of hunks with prefixed lines, an object
 * that holds such a list, or a unified diff. Anything else answers null.
 */
export function parsePatch(patch: unknown): FilePatch | null {
  if (typeof patch === 'string') return parseUnifiedDiff(patch)[0] ?? null;
  if (Array.isArray(patch)) return patch.length === 0 ? null : filePatch(null, hunksOf(patch));
  const fields = readFields(patch);
  const hunks = readList(fields.structuredPatch ?? fields.hunks);
  const path = readText(fields.filePath ?? fields.path) || null;
  return hunks.length === 0 ? null : filePatch(path, hunksOf(hunks));
}
