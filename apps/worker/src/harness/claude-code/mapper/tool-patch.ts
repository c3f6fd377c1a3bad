import { asArray, asCount, asName, asObject, asTexts, type JsonObject } from '../records/json';

type PatchHunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] };
/** `cut`: hunks beyond the limit were left out. */
type ToolPatch = { filePath: string | null; hunks: PatchHunk[]; cut?: true };

/** The most that a patch may hold; it travels with every event and is never stored apart. */
const PATCH_CHARS = 48 * 1024;

/** The lines that a file tool changed. The whole file, which the program sends along, is never taken. */
export function readPatch(toolUseResult: JsonObject): ToolPatch | null {
  const hunks: PatchHunk[] = [];
  let chars = 0;
  for (const value of asArray(toolUseResult['structuredPatch'])) {
    const hunk = readHunk(value);
    if (!hunk) continue;
    chars += hunk.lines.reduce((sum, line) => sum + line.length, 0);
    if (chars > PATCH_CHARS) return { filePath: asName(toolUseResult['filePath']), hunks, cut: true };
    hunks.push(hunk);
  }
  return hunks.length === 0 ? null : { filePath: asName(toolUseResult['filePath']), hunks };
}

function readHunk(value: unknown): PatchHunk | null {
  const hunk = asObject(value);
  if (!hunk) return null;
  return {
    oldStart: asCount(hunk['oldStart']),
    oldLines: asCount(hunk['oldLines']),
    newStart: asCount(hunk['newStart']),
    newLines: asCount(hunk['newLines']),
    lines: asTexts(hunk['lines']),
  };
}
