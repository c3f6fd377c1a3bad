import { isTurnKnown, type TranscriptState } from '@chirality/domain';

/**
 * A place in a conversation that a person wants to see: its beginning, a row, or where they were reading before, as a
 * row and how far above the frame that is to begin.
 */
export type Goal = { kind: 'start' } | { kind: 'row'; key: string } | { kind: 'place'; key: string; offsetPx: number };

type NextStep = { step: 'show'; at: number } | { step: 'load' } | { step: 'give-up' };

type Loaded = Pick<TranscriptState, 'firstEventId' | 'turns' | 'turnIndex'>;

/** Whether the goal ends as soon as the reader moves. A jump that they asked for stays until they cancel it. */
export function endsWithMove(goal: Goal): boolean {
  return goal.kind === 'place';
}

/** What brings the reader to the goal next, where these rows are loaded. */
export function nextStep(goal: Goal, rows: readonly { key: string }[], state: Loaded): NextStep {
  if (goal.kind === 'start') return state.firstEventId > 1 ? { step: 'load' } : { step: 'show', at: 0 };
  const at = rows.findIndex((row) => row.key === goal.key);
  if (at !== -1) return { step: 'show', at };
  return isEarlier(goal.key, state) ? { step: 'load' } : { step: 'give-up' };
}

/**
 * Whether a row with this key can only be before those that are loaded: items are named after their event, other rows
 * after their turn.
 */
function isEarlier(key: string, state: Loaded): boolean {
  const [, eventId, turnId] = /^(?:e(\d+)|(turn_\w+)\/.*)$/.exec(key) ?? [];
  if (eventId !== undefined) return Number(eventId) < state.firstEventId;
  return turnId !== undefined && isTurnKnown(state, turnId) && state.turnIndex[turnId] === undefined;
}
