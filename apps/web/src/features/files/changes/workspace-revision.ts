import type { TranscriptState, TurnView } from '@chirality/domain';

const READERS = new Set(['Read', 'Grep', 'Glob', 'LS']);

function changesIn(turn: TurnView): number {
  const tools = turn.items.filter(
    (item) =>
      item.type === 'tool' &&
      (item.status === 'succeeded' || item.status === 'failed') &&
      !READERS.has(item.name ?? ''),
  );
  return tools.length + (turn.endedAt === null ? 0 : 1);
}

/**
 * Differs whenever a tool may have changed files and at the end of each turn; what was shown of the workspace is then
 * stale. The latest turn with a change and what came since count, so turns that are loaded later make nothing stale.
 */
export function workspaceRevision({ turns }: Pick<TranscriptState, 'turns'>): string {
  let changes = 0;
  for (const turn of turns.toReversed()) {
    changes += changesIn(turn);
    if (turn.kind !== 'system' && changes > 0) return `${turn.id}/${changes}`;
  }
  return `/${changes}`;
}
