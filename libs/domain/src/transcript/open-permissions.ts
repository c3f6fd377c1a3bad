import type { PermissionItem, TranscriptState, TurnView } from './transcript-state';

export function activeTurnOf(state: TranscriptState): TurnView | null {
  const at = state.activeTurnId === null ? undefined : state.turnIndex[state.activeTurnId];
  return at === undefined ? null : (state.turns[at] ?? null);
}

/** The permissions that wait for an answer, oldest first. */
export function openPermissionsOf(state: TranscriptState): PermissionItem[] {
  const turn = activeTurnOf(state);
  if (turn === null) return [];
  return turn.openPermissions.flatMap((id) => {
    const at = turn.index[`permission:${id}`];
    const item = at === undefined ? undefined : turn.items[at];
    return item?.type === 'permission' ? [item] : [];
  });
}
