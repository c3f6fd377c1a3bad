import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { filesQuery } from '../files.api';
import type { FileSource } from '../file-source';

/**
 * A link to a folder may lack the slash at its end that an address of a folder has. Where no file has the name, looks
 * for a folder, and calls `onFolder` once it is found. Answers whether the file cannot be said to be missing yet.
 */
export function useFolderInstead(source: FileSource, path: string, isNoFile: boolean, onFolder: () => void): boolean {
  const { isSuccess, isPlaceholderData, isPending } = useInfiniteQuery({
    ...filesQuery(source, path),
    enabled: isNoFile,
  });
  const isFolder = isNoFile && isSuccess && !isPlaceholderData;
  const onFound = useEffectEvent(onFolder);
  useEffect(() => {
    if (isFolder) onFound();
  }, [isFolder]);
  return isNoFile && (isPending || isFolder);
}
