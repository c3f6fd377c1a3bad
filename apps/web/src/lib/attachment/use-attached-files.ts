import { useEffect, useState } from 'react';
import type { AttachedFiles } from './attached-files';
import { useAttachedFilesOf } from './attachment-services';

/** The files of the message field, as they were left. */
export function useAttachedFiles(userId: string, sessionId: string): AttachedFiles {
  const filesOf = useAttachedFilesOf();
  const [files] = useState(() => filesOf(userId, sessionId));
  useEffect(() => {
    files.reread();
    const onStorage = ({ key }: StorageEvent) => key === files.storeKey && files.reread();
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [files]);
  return files;
}
