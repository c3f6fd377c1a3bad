import { useEffect, useState } from 'react';
import { outboxOf, tabId } from '../../../app/services';
import { localStore } from '../../../lib/storage';
import type { Draft } from '../draft';
import { Drafts } from '../drafts';
import { LiveDrafts } from '../live-drafts';

const liveDrafts = new LiveDrafts((userId) => new Drafts(localStore, userId, tabId, Date.now));

// Drafts outlive their fields, so this is asked wherever the page is left from.
window.addEventListener('beforeunload', (event) => {
  liveDrafts.keep();
  if (liveDrafts.hasUnkept) event.preventDefault();
});

/** The text of the message field, as it was left. */
export function useDraft(userId: string, sessionId: string): Draft {
  const [draft] = useState(() => liveDrafts.of(userId, sessionId));
  useEffect(() => {
    draft.keep();
    draft.reread();
    const flush = () => draft.flush();
    const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
      if (newValue !== null) return;
      if (key === draft.storeKey && oldValue !== null) draft.takenElsewhere(oldValue);
      liveDrafts.roomMade();
    };
    // A message that has left the outbox makes room.
    const stop = outboxOf(userId).entries.subscribe(liveDrafts.roomMade);
    window.addEventListener('pagehide', flush);
    window.addEventListener('storage', onStorage);
    return () => {
      flush();
      stop();
      window.removeEventListener('pagehide', flush);
      window.removeEventListener('storage', onStorage);
    };
  }, [draft, userId]);
  return draft;
}
