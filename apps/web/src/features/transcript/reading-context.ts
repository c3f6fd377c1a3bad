import type { Attachment, OutputSchema } from '@chirality/contracts';
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { OpenRows } from './open-rows';

/** What every row may need and no row changes. */
type Reading = {
  sessionId: string;
  openRows: OpenRows;
  /** The workspace as the model names it: paths are shown from there. */
  cwd: string | null;
  nameOf: (userId: string | null) => string;
  myId: string;
  /** Opens the panel with what the session changed; null where there is none. */
  showChanges: (() => void) | null;
  /** Puts a message back into the composer; null for people who may not write. */
  writeAgain:
    ((message: string, attachments: readonly Attachment[], outputSchema?: OutputSchema | null) => void) | null;
};

export const ReadingContext = createContext<Reading>({
  sessionId: '',
  openRows: new OpenRows(),
  cwd: null,
  nameOf: () => 'Someone',
  myId: '',
  showChanges: null,
  writeAgain: null,
});

export function useReading(): Reading {
  return useContext(ReadingContext);
}

/** Whether a row is unfolded, and how to change that. */
export function useOpenRow(key: string, byDefault = false): [boolean, () => void] {
  const { openRows } = useReading();
  const subscribe = useCallback((listener: () => void) => openRows.subscribe(key, listener), [openRows, key]);
  const isOpen = useSyncExternalStore(subscribe, () => openRows.choice(key)) ?? byDefault;
  return [isOpen, () => openRows.choose(key, !isOpen)];
}
