import type { PermissionMode } from '@chirality/contracts';
import type { TranscriptState } from '@chirality/domain';
import { useState } from 'react';
import { approvedPlans } from '../../permission/plan-text';

type Choice = { mode: PermissionMode | null; plans: number };
/** `plans` are counted from this turn on, so that earlier turns may be loaded later; null from the first. */
type MadeChoice = Choice & { sinceTurnId: string | null };

/** What a choice means now: planning ends with the plan that was approved after it, as it does in the program. */
export function modeInForce({ mode, plans }: Choice, approved: number): PermissionMode | null {
  return mode === 'plan' && approved > plans ? null : mode;
}

/** How the next messages of this person ask; null while the session's own setting stands. */
export function useMessageMode(state: TranscriptState): [PermissionMode | null, (mode: PermissionMode | null) => void] {
  const [choice, setChoice] = useState<MadeChoice>({ mode: null, plans: 0, sinceTurnId: null });
  const choose = (mode: PermissionMode | null) => {
    const sinceTurnId = state.turns.at(-1)?.id ?? null;
    setChoice({ mode, plans: approvedPlans(state, sinceTurnId), sinceTurnId });
  };
  return [modeInForce(choice, approvedPlans(state, choice.sinceTurnId)), choose];
}
