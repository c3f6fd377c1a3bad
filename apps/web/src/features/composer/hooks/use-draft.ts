import { useEffect, useState } from 'react';
import { tabId } from '../../../app/services';
import { localStore } from '../../../lib/storage';
import type { Draft } from '../draft';
import { Drafts } from '../drafts';
import { LiveDrafts } from '../live-drafts';

const liveDrafts = new LiveDrafts((userId) => new Drafts(localStore, userId, tabId, Date.now));

// Drafts outlive their fields, so this is asked wherever the page is left from.
window.addEventListener('beforeunload', (event) => {
  if (liveDrafts.hasUnkept) event.preventDefault();
});

/** The text of the message field, as it was left. */
export function useDraft(userId: string, sessionId: string): Draft {
  const [draft] = useState(() => liveDrafts.of(userId, sessionId));
  useEffect(() => {
    draft.reread();
    const flush = () => draft.flush();
    const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key !== draft.storeKey || newValue !== null || oldValue === null) return;
      draft.takenElsewhere(oldValue);
    };
    window.addEventListener('pagehide', flush);
    window.addEventListener('storage', onStorage);
    return () => {
      flush();
      window.removeEventListener('pagehide', flush);
      window.removeEventListener('storage', onStorage);
    };
  }, [draft]);
  return draft;
}
