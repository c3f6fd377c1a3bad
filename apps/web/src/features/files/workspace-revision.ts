import type { TranscriptState } from '@chirality/domain';

const READERS = new Set(['Read', 'Grep', 'Glob', 'LS']);

/** Rises whenever a tool may have changed files and at the end of each turn; what was shown of the workspace is then stale. */
export function workspaceRevision(state: TranscriptState): number {
  let revision = 0;
  for (const turn of state.turns) {
    if (turn.endedAt !== null) revision += 1;
    for (const item of turn.items) {
      if (item.type === 'tool' && (item.status === 'succeeded' || item.status === 'failed') && !READERS.has(item.name ?? '')) revision += 1;
    }
  }
  return revision;
}
