import { diffTexts } from './diff-texts';
import { parsePatch, type DiffHunk, type FilePatch } from './parse-patch';
import { readFields, readList, readText } from './read-payload';
import type { ToolItem } from './transcript-state';

function joinHunks(path: string | null, patches: FilePatch[]): FilePatch {
  return {
    path,
    hunks: patches.flatMap((patch): DiffHunk[] => patch.hunks),
    additions: patches.reduce((sum, patch) => sum + patch.additions, 0),
    deletions: patches.reduce((sum, patch) => sum + patch.deletions, 0),
  };
}

/** What the input of a file tool would change, as far as the input alone tells; null for every other tool. */
export function patchOfInput(tool: string, input: unknown): FilePatch | null {
  const fields = readFields(input);
  const path = readText(fields.file_path ?? fields.notebook_path) || null;
  if (path === null) return null;
  switch (tool) {
    case 'Edit':
      return diffTexts(path, readText(fields.old_string), readText(fields.new_string));
    case 'MultiEdit':
      return joinHunks(
        path,
        readList(fields.edits).map((entry) => {
          const edit = readFields(entry);
          return diffTexts(path, readText(edit.old_string), readText(edit.new_string));
        }),
      );
    case 'Write':
      return diffTexts(path, '', readText(fields.content));
    case 'NotebookEdit':
      return diffTexts(path, '', readText(fields.new_source));
    default:
      return null;
  }
}

const cache = new WeakMap<ToolItem, { patch: FilePatch | null }>();

/** What a tool changed: from its result where that says it (it has the real lines), else from its input. */
export function patchOfTool(tool: ToolItem): FilePatch | null {
  const known = cache.get(tool);
  if (known !== undefined) return known.patch;
  const fromInput = patchOfInput(tool.name ?? '', tool.input);
  const fromResult = parsePatch(tool.patch);
  const patch = fromResult === null ? fromInput : { ...fromResult, path: fromResult.path ?? fromInput?.path ?? null };
  cache.set(tool, { patch });
  return patch;
}
