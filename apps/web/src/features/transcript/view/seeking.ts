import { isTurnKnown, type TranscriptState } from '@chirality/domain';
import type { Moment } from '../../../lib/transcript/moment';

/**
 * A place in a conversation that a person wants to see: its beginning, a row, what an address names, or where they were
 * reading before, as a row and how far above the frame that is to begin.
 */
export type Goal =
  | { kind: 'start' }
  | { kind: 'row'; key: string }
  | { kind: 'moment'; moment: Moment }
  | { kind: 'place'; key: string; offsetPx: number };

type NextStep = { step: 'show'; at: number } | { step: 'load' } | { step: 'give-up' };

type Loaded = Pick<TranscriptState, 'firstEventId' | 'turns' | 'turnIndex'>;

/** Whether the goal ends as soon as the reader moves. A jump that they asked for stays until they cancel it. */
export function endsWithMove(goal: Goal): boolean {
  return goal.kind === 'place';
}

/** What brings the reader to the goal next, where these rows are loaded. */
export function nextStep(goal: Goal, rows: readonly { key: string }[], state: Loaded): NextStep {
  if (goal.kind === 'start') return state.firstEventId > 1 ? { step: 'load' } : { step: 'show', at: 0 };
  if (goal.kind === 'moment') {
    const at = rowOfMoment(goal.moment, rows);
    if (at !== -1) return { step: 'show', at };
    return isBefore(goal.moment, state) ? { step: 'load' } : { step: 'give-up' };
  }
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

/** The row of a turn that shows what the event did: the last one that began with it or before; -1 where none does. */
function rowOfMoment({ turnId, eventId }: Moment, rows: readonly { key: string }[]): number {
  const first = rows.findIndex((row) => row.key.startsWith(`${turnId}/`));
  if (first === -1 || eventId === null) return first;
  let found = first;
  for (let at = first + 1; at < rows.length; at++) {
    const [, began] = /^e(\d+)$/.exec(rows[at]!.key) ?? [];
    if (began === undefined || Number(began) > eventId) break;
    found = at;
  }
  return found;
}

function isBefore({ turnId, eventId }: Moment, state: Loaded): boolean {
  if (state.turnIndex[turnId] !== undefined || state.firstEventId <= 1) return false;
  return eventId === null ? isTurnKnown(state, turnId) : eventId < state.firstEventId;
}
