import { useEffect } from 'react';
import type { TranscriptState } from '@chirality/domain';
import { outboxOf } from '../../../app/services';
import { useObservable } from '../../../lib/use-observable';
import { pendingEntries } from '../pending-entries';
import type { Outbox, OutboxEntry } from '../outbox';

/** This session's messages that are not in its transcript yet. Those that are now are let go. */
export function usePending(sessionId: string, state: TranscriptState, myId: string): { outbox: Outbox; pending: OutboxEntry[] } {
  const outbox = outboxOf(myId);
  const entries = useObservable(outbox.entries);
  useEffect(() => {
    for (const { turnId } of entries) if (turnId !== null && state.turnIndex[turnId] !== undefined) outbox.seen(turnId);
  }, [entries, state, outbox]);
  return { outbox, pending: pendingEntries(entries, sessionId, state, myId, outbox.made) };
}
