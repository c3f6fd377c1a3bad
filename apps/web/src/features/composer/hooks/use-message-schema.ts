import type { OutputSchema } from '@chirality/contracts';
import { useCallback, useState } from 'react';
import { tabStore } from '../../../lib/state/storage';
import { schemaOfText } from '../schema-text';

/** What the answer to the next message has to be, as it was left in this tab; null while it may be anything. */
export function useMessageSchema(
  userId: string,
  sessionId: string,
): [OutputSchema | null, (schema: OutputSchema | null) => void] {
  const key = `chirality.schema.${userId}.${sessionId}`;
  const [schema, setSchema] = useState(() => {
    const read = schemaOfText(tabStore.get(key) ?? '');
    return 'schema' in read ? read.schema : null;
  });
  const choose = useCallback(
    (next: OutputSchema | null) => {
      setSchema(next);
      if (next === null) tabStore.remove(key);
      else tabStore.set(key, JSON.stringify(next));
    },
    [key],
  );
  return [schema, choose];
}
