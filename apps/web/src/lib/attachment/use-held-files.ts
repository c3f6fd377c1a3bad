import { useState } from 'react';
import { useObservable } from '../state/use-observable';
import { useHeldFilesOf } from './attachment-services';
import type { AttachedFile } from './attached-file';
import type { HeldFiles } from './held-files';

/** The files of a field that starts a session, as they were left. */
export function useHeldFiles(userId: string, place: string): { files: HeldFiles; items: readonly AttachedFile[] } {
  const filesOf = useHeldFilesOf();
  const [files] = useState(() => filesOf(userId, place));
  return { files, items: useObservable(files.items) };
}
