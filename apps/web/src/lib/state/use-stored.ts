import { useState } from 'react';
import { localStore } from './storage';

/** A choice of this browser that outlives the page. */
export function useStoredFlag(key: string, fallback: boolean): [boolean, (next: boolean) => void] {
  const storeKey = `chirality.${key}`;
  const [value, setValue] = useState(() => {
    const stored = localStore.get(storeKey);
    return stored === null ? fallback : stored === 'true';
  });
  const choose = (next: boolean) => {
    setValue(next);
    localStore.set(storeKey, String(next));
  };
  return [value, choose];
}
