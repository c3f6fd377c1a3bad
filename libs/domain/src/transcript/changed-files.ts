import { patchOfTool } from './tool-patch';
import type { ChangedFiles, TurnView } from './transcript-state';

/**
 * The files that this turn changed, with the lines in all: what the worker found, or, while it has said nothing, what the
 * successful tools announce, in the order of their first change.
 */
export function changedFilesOf(turn: TurnView): ChangedFiles {
  if (turn.changes !== null) return turn.changes;
  const paths = new Set<string>();
  let additions = 0;
  let deletions = 0;
  for (const item of turn.items) {
    if (item.type !== 'tool' || item.status !== 'succeeded') continue;
    const patch = patchOfTool(item);
    if (patch?.path == null) continue;
    paths.add(patch.path);
    additions += patch.additions;
    deletions += patch.deletions;
  }
  return { paths: [...paths], additions, deletions };
}
