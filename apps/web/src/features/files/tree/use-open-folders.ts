import { useState } from 'react';
import { foldersOfPath } from '../files-search';

/** Which folders of a tree are open. */
export type OpenFolders = { isOpen: (path: string) => boolean; toggle: (path: string) => void };

/** Folders stay as a person left them while a file is looked at. What `path` names is opened when it changes. */
export function useOpenFolders(path = '', onToggle?: (folder: string, isOpen: boolean) => void): OpenFolders {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(foldersOfPath(path)));
  const [shownPath, setShownPath] = useState(path);
  if (path !== shownPath) {
    setShownPath(path);
    setOpen(new Set([...open, ...foldersOfPath(path)]));
  }
  return {
    isOpen: (folder) => open.has(folder),
    toggle: (folder) => {
      const isOpen = !open.has(folder);
      setOpen(isOpen ? new Set([...open, folder]) : new Set([...open].filter((one) => one !== folder)));
      onToggle?.(folder, isOpen);
    },
  };
}
