import { useCallback, useState } from 'react';
import { localStore } from '../../../lib/storage';
import { Drafts } from '../drafts';

/** The text of the message field, as it was left. */
export function useDraft(userId: string, sessionId: string): [string, (text: string) => void] {
  const [drafts] = useState(() => new Drafts(localStore, userId));
  const [text, setText] = useState(() => drafts.read(sessionId));
  const write = useCallback(
    (next: string) => {
      setText(next);
      drafts.write(sessionId, next);
    },
    [drafts, sessionId],
  );
  return [text, write];
}
