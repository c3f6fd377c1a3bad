import type { PermissionDecision } from '@chirality/contracts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useObservable } from '../../../lib/state/use-observable';
import type { Asked } from './answer-book';
import { useAnswerBooks } from './answer-books';
import type { AnswerDraft } from '../../../lib/permission/answer-drafts';

export type Answering = {
  give: (decision: PermissionDecision) => void;
  /** An answer is on its way or given: no other can be given meanwhile. */
  isGiving: boolean;
  /** A sentence when the answer could not be given; another, faster answer is not a failure. */
  failure: string | null;
  /** A sentence once the answer, or another person's, is given and the log has not said so yet. */
  settled: string | null;
  draft: AnswerDraft;
  setDraft: (draft: AnswerDraft) => void;
};

export function useAnswer({ sessionId, sessionTitle, permissionId, kind }: Asked, myId: string): Answering {
  const book = useAnswerBooks()(myId);
  const asked = useMemo(
    () => ({ sessionId, sessionTitle, permissionId, kind }),
    [sessionId, sessionTitle, permissionId, kind],
  );
  useEffect(() => book.show(asked), [book, asked]);
  const state = useObservable(book.states).get(permissionId);
  const [draft, setDraft] = useState(() => book.drafts.read(permissionId));
  const changeDraft = useCallback(
    (next: AnswerDraft) => {
      setDraft(next);
      book.drafts.write(permissionId, next);
    },
    [book, permissionId],
  );
  return {
    give: (decision) => void book.give(asked, decision),
    isGiving: state !== undefined && state.status !== 'failed',
    settled:
      state?.status === 'given'
        ? 'Your answer is given.'
        : state?.status === 'late'
          ? 'Someone else answered first.'
          : null,
    failure: state?.status === 'failed' ? state.sentence : null,
    draft,
    setDraft: changeDraft,
  };
}
