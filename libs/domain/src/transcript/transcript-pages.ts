import type { EventKind } from '@chirality/contracts';
import { foldEvent } from './fold-events';
import { TranscriptDraft, type WireEnvelope } from './transcript-draft';
import { emptyTranscript, type TranscriptState, type TurnView } from './transcript-state';

/**
 * The kinds that say something of the whole session beside its turns: of some the latest event stands, of others all
 * count.
 */
export const SESSION_FACT_KINDS: { latest: readonly EventKind[]; all: readonly EventKind[] } = {
  latest: ['session:init', 'todo:update', 'session:end', 'tool:outcome', 'queue:update'],
  all: ['session:update'],
};

/** What is to be known of the events before the first shown turn. */
type EarlierFacts = {
  /** The events of `SESSION_FACT_KINDS` among them, in order. */
  events: readonly WireEnvelope[];
  /** What the turns before have cost. */
  costUsd: string;
  unpricedMessages: number;
};

/**
 * A transcript without its turns before `firstEventId`, which must be the event that a turn begins with; `foldEvents`
 * continues it from there and gives the state of a fold of everything, restricted to the turns that begin there or
 * later.
 */
export function beginTranscriptAt(
  firstEventId: number,
  { events, costUsd, unpricedMessages }: EarlierFacts,
): TranscriptState {
  const draft = new TranscriptDraft(emptyTranscript());
  for (const event of events) foldEvent(draft, event);
  const { init, todos, queueEventId, changes, endedReason, lastOutcomeEventId } = draft.state;
  return {
    ...emptyTranscript(),
    firstEventId,
    lastEventId: firstEventId - 1,
    init,
    todos,
    queueEventId,
    changes,
    endedReason,
    lastOutcomeEventId,
    costUsd,
    unpricedMessages,
  };
}

/** Turns that come right before those of a transcript. */
export type EarlierTurns = {
  /** As in `TranscriptState`. */
  firstEventId: number;
  turns: TurnView[];
};

/** Where a page of earlier turns begins; `foldEvents` continues it with the events up to where another page begins. */
export function beginEarlierTurns(firstEventId: number): TranscriptState {
  return { ...emptyTranscript(), firstEventId, lastEventId: firstEventId - 1 };
}

/**
 * The turns of a page that was folded to its end. `later` are events after it that speak of turns by their id
 * (`tool:outcome`).
 */
export function earlierTurnsOf(page: TranscriptState, later: readonly WireEnvelope[]): EarlierTurns {
  const draft = new TranscriptDraft(page);
  for (const event of later) foldEvent(draft, event);
  return { firstEventId: page.firstEventId, turns: draft.state.turns };
}

/** The transcript with the turns before its own. */
export function prependTurns(state: TranscriptState, { firstEventId, turns: earlier }: EarlierTurns): TranscriptState {
  const turns = [...earlier, ...state.turns];
  return { ...state, firstEventId, turns, turnIndex: Object.fromEntries(turns.map(({ id }, at) => [id, at])) };
}

/**
 * Whether this turn is in the session's log, also where it is before the turns that are here: ids of turns rise with
 * time.
 */
export function isTurnKnown(
  { firstEventId, turns, turnIndex }: Pick<TranscriptState, 'firstEventId' | 'turns' | 'turnIndex'>,
  turnId: string,
): boolean {
  if (Object.hasOwn(turnIndex, turnId)) return true;
  const first = firstEventId > 1 ? turns.find(({ kind }) => kind !== 'system') : undefined;
  return first !== undefined && turnId < first.id;
}
