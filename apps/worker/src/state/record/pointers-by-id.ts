import { isId } from '@chirality/contracts';
import type { SharedWorkspacePointerRepository } from '@chirality/database';
import type { StatePointers } from './state-pointers';

/** The rows of sessions and of shared workspaces as one: which of them, the id says. */
export function pointersById(
  sessions: StatePointers,
  workspaces: Pick<SharedWorkspacePointerRepository, keyof StatePointers>,
): StatePointers {
  const isShared = (id: string) => isId('sharedWorkspace', id);
  const named = <T extends { sessionId: string }>({ sessionId, ...rest }: T) => ({
    ...rest,
    sharedWorkspaceId: sessionId,
  });
  return {
    read: (id) => (isShared(id) ? workspaces : sessions).read(id),
    hold: (hold) => (isShared(hold.sessionId) ? workspaces.hold(named(hold)) : sessions.hold(hold)),
    holdIdle: (hold) => (isShared(hold.sessionId) ? workspaces.holdIdle(named(hold)) : sessions.holdIdle(hold)),
    markUnstored: (of) => (isShared(of.sessionId) ? workspaces.markUnstored(named(of)) : sessions.markUnstored(of)),
    noteUnstored: (of) => (isShared(of.sessionId) ? workspaces.noteUnstored(named(of)) : sessions.noteUnstored(of)),
    move: (move) => (isShared(move.sessionId) ? workspaces.move(named(move)) : sessions.move(move)),
  };
}
