import type { PermissionItem, TranscriptState } from '@chirality/domain';
import { useEffect, useRef } from 'react';
import type { AnswerBook } from './answer-book';

function answerTo(state: TranscriptState, permissionId: string): PermissionItem['answer'] {
  for (const turn of state.turns.slice(-3)) {
    const at = turn.index[`permission:${permissionId}`];
    const item = at === undefined ? undefined : turn.items[at];
    if (item?.type === 'permission') return item.answer;
  }
  return null;
}

/** Says to the book how each request ended that was open here. */
export function useSettled(
  book: AnswerBook,
  sessionId: string,
  sessionTitle: string,
  state: TranscriptState,
  open: readonly PermissionItem[],
): void {
  const known = useRef(new Map<string, PermissionItem['kind']>());
  useEffect(() => {
    const ids = new Set(open.map(({ permissionId }) => permissionId));
    for (const { permissionId, kind } of open) known.current.set(permissionId, kind);
    for (const [permissionId, kind] of known.current) {
      const answer = ids.has(permissionId) ? null : answerTo(state, permissionId);
      if (answer === null) continue;
      known.current.delete(permissionId);
      book.settled({ sessionId, sessionTitle, permissionId, kind }, answer);
    }
  }, [book, sessionId, sessionTitle, state, open]);
}
