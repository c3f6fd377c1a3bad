import type { PermissionMode } from '@chirality/contracts';
import type { TranscriptState } from '@chirality/domain';
import { useState } from 'react';
import { approvedPlans } from '../../../lib/permission/plan-text';

type Choice = { mode: PermissionMode | null; plans: number };
/** `plans` are counted from this turn on, so that earlier turns may be loaded later; null where no turn was there. */
type MadeChoice = Choice & { sinceTurnId: string | null };
type Turns = Pick<TranscriptState, 'turns' | 'turnIndex'>;

/** What a choice means now: planning ends with the plan that was approved after it, as it does in the program. */
export function modeInForce({ mode, plans }: Choice, approved: number): PermissionMode | null {
  return mode === 'plan' && approved > plans ? null : mode;
}

export function choiceAt(state: Turns, mode: PermissionMode | null): MadeChoice {
  const sinceTurnId = state.turns.at(-1)?.id ?? null;
  return { mode, plans: approvedPlans(state, sinceTurnId), sinceTurnId };
}

/**
 * A choice that was made before any turn was there counts from the first state with turns: their plans are older than
 * it.
 */
export function basedChoice(choice: MadeChoice, state: Turns): MadeChoice {
  return choice.sinceTurnId === null && state.turns.length > 0 ? choiceAt(state, choice.mode) : choice;
}

/** How the next messages of this person ask; null while the session's own setting stands. */
export function useMessageMode(state: TranscriptState): [PermissionMode | null, (mode: PermissionMode | null) => void] {
  const [made, setMade] = useState<MadeChoice>({ mode: null, plans: 0, sinceTurnId: null });
  const choice = basedChoice(made, state);
  if (choice !== made) setMade(choice);
  const choose = (mode: PermissionMode | null) => setMade(choiceAt(state, mode));
  return [modeInForce(choice, approvedPlans(state, choice.sinceTurnId)), choose];
}
