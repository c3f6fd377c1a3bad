import { patchOfTool } from './tool-patch';
import type { TurnView } from './transcript-state';

export type ChangedFiles = { paths: string[]; additions: number; deletions: number };

/** The files that this turn's successful tools changed, in the order of their first change, with the lines in all. */
export function changedFilesOf(turn: TurnView): ChangedFiles {
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
