import { useEffect } from 'react';
import { isTurnKnown, type TranscriptState } from '@chirality/domain';
import { useOutboxes } from '../../../lib/message/message-services';
import { useObservable } from '../../../lib/state/use-observable';
import { pendingEntries } from '../pending-entries';
import type { Outbox, OutboxEntry } from '../../../lib/message/outbox';

/** This session's messages that are not in its transcript yet. Those that are now are let go. */
export function usePending(
  sessionId: string,
  state: TranscriptState,
  myId: string,
): { outbox: Outbox; pending: OutboxEntry[] } {
  const outbox = useOutboxes()(myId);
  const entries = useObservable(outbox.entries);
  useEffect(() => {
    for (const entry of entries)
      if (entry.sessionId === sessionId && entry.turnId !== null && isTurnKnown(state, entry.turnId))
        outbox.seen(entry.turnId);
  }, [entries, sessionId, state, outbox]);
  return { outbox, pending: pendingEntries(entries, sessionId, state, myId, outbox.made) };
}
