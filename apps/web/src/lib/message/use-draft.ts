import { useEffect, useState } from 'react';
import type { Draft } from './draft';
import { useLiveDrafts, useOutboxes } from './message-services';

/** The text of the message field, as it was left. */
export function useDraft(userId: string, sessionId: string): Draft {
  const drafts = useLiveDrafts();
  const outboxOf = useOutboxes();
  const [draft] = useState(() => drafts.of(userId, sessionId));
  useEffect(() => {
    draft.keep();
    draft.reread();
    const flush = () => draft.flush();
    const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
      if (newValue !== null) return;
      if (key === draft.storeKey && oldValue !== null) draft.takenElsewhere(oldValue);
      drafts.roomMade();
    };
    // A message that has left the outbox makes room.
    const stop = outboxOf(userId).entries.subscribe(drafts.roomMade);
    window.addEventListener('pagehide', flush);
    window.addEventListener('storage', onStorage);
    return () => {
      flush();
      stop();
      window.removeEventListener('pagehide', flush);
      window.removeEventListener('storage', onStorage);
    };
  }, [draft, drafts, outboxOf, userId]);
  return draft;
}
