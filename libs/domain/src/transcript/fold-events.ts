import type { EventKind } from '@chirality/contracts';
import { foldDelta, foldWholeBlock, foldWithdrawal } from './fold-blocks';
import { foldHook } from './fold-hooks';
import { foldPermissionRequest, foldPermissionResolve, foldPermissionUpdate } from './fold-permissions';
import {
  foldBudgetNotice,
  foldCompaction,
  foldGap,
  foldInit,
  foldQueueUpdate,
  foldSessionEnd,
  foldSessionError,
  foldSessionUpdate,
  foldTodos,
} from './fold-session';
import { foldToolOutcome, foldToolProgress, foldToolResult, foldToolStart } from './fold-tools';
import {
  foldComplete,
  foldCost,
  foldTurnEnd,
  foldTurnNotice,
  foldTurnQueued,
  foldTurnRetry,
  foldTurnStart,
} from './fold-turns';
import { readFields, readNumber } from './read-payload';
import { TranscriptDraft, type WireEnvelope } from './transcript-draft';
import type { TranscriptState } from './transcript-state';

type Fold = (draft: TranscriptDraft, event: WireEnvelope) => void;

/** Null: the kind says nothing that a transcript shows. */
const FOLDS: Readonly<Record<EventKind, Fold | null>> = {
  'turn:queued': foldTurnQueued,
  'queue:update': foldQueueUpdate,
  'turn:start': foldTurnStart,
  'session:init': foldInit,
  'chat:delta': (draft, event) => foldDelta(draft, event, 'text'),
  'chat:complete': (draft, event) => foldWholeBlock(draft, event, 'text'),
  'thinking:delta': (draft, event) => foldDelta(draft, event, 'thinking'),
  'thinking:complete': (draft, event) => foldWholeBlock(draft, event, 'thinking'),
  'chat:withdrawn': foldWithdrawal,
  'tool:start': foldToolStart,
  'tool:progress': foldToolProgress,
  'tool:result': foldToolResult,
  'tool:outcome': foldToolOutcome,
  'hook:event': foldHook,
  'permission:request': foldPermissionRequest,
  'permission:update': foldPermissionUpdate,
  'permission:resolve': foldPermissionResolve,
  'todo:update': foldTodos,
  'cost:update': foldCost,
  'turn:retry': foldTurnRetry,
  'turn:notice': foldTurnNotice,
  compaction: foldCompaction,
  'session:complete': foldComplete,
  'session:error': foldSessionError,
  'process:exit': null,
  'turn:end': foldTurnEnd,
  'session:update': foldSessionUpdate,
  'session:end': foldSessionEnd,
  'budget:notice': foldBudgetNotice,
  'stream:gap': foldGap,
  custom: null,
};

/** Folds one event into the draft, whatever its id. */
export function foldEvent(draft: TranscriptDraft, event: WireEnvelope): void {
  const fold = Object.hasOwn(FOLDS, event.kind) ? FOLDS[event.kind as EventKind] : null;
  const payload = readFields(event.payload);
  fold?.(draft, payload === event.payload ? event : { ...event, payload });
}

/** Where the earlier turns are missing, an event of one of them must not begin that turn a second time. */
function isOfMissingTurn({ firstEventId, turnIndex }: TranscriptState, { kind, turn }: WireEnvelope): boolean {
  return firstEventId > 1 && turn !== null && kind !== 'turn:queued' && !Object.hasOwn(turnIndex, turn);
}

/**
 * Folds events, in the order of their ids, into a transcript.
 *
 * Guarantees: `state` is not changed, and what the events do not touch keeps its identity; an event whose id is
 * already in the state changes nothing; an event after a gap is refused together with all that follow it, so
 * `lastEventId` of the answer is the last id without a gap before it, and the caller asks for what comes after
 * that; kinds that are not known only move `lastEventId`; folding in one call or in many gives equal states;
 * where the earlier turns are missing, events of theirs only move `lastEventId` too. `stream:gap` is the server's word
 * that a range is gone, and is the one event that may leave a gap behind it.
 * Takes time linear in the events plus the turns that they touch. Never throws.
 */
export function foldEvents(state: TranscriptState, events: readonly WireEnvelope[]): TranscriptState {
  let draft: TranscriptDraft | null = null;
  for (const event of events) {
    const { lastEventId } = draft?.state ?? state;
    if (event.id <= lastEventId) continue;
    const gapTo = event.kind === 'stream:gap' ? readNumber(readFields(event.payload).to) : 0;
    if (event.id !== lastEventId + 1 && event.id !== gapTo && event.id !== gapTo + 1) break;
    draft ??= new TranscriptDraft(state);
    if (!isOfMissingTurn(draft.state, event)) foldEvent(draft, event);
    draft.state.lastEventId = event.id;
  }
  return draft?.state ?? state;
}
