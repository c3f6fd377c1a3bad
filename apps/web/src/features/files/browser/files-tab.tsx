import { Folder } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/ui/empty-state';
import { pathOfFolder } from '../files-search';
import { useFileMarks } from '../tree/use-file-marks';
import { useOpenFolders } from '../tree/use-open-folders';
import { FileBrowser } from './file-browser';

const EMPTY = (
  <EmptyState icon={<Folder size={20} />} title="No files yet">
    The session’s copy of the project is empty. What Claude writes appears here.
  </EmptyState>
);

/** The files of a session's workspace. */
export function FilesTab({ sessionId, revision }: { sessionId: string; revision: string }) {
  const [place, setPlace] = useState('');
  const folders = useOpenFolders(place, (folder, isOpen) => setPlace(pathOfFolder(folder, isOpen) ?? ''));
  const marked = useFileMarks(sessionId, revision);
  return (
    <FileBrowser
      source={{ of: 'sessions', id: sessionId, revision }}
      place={place}
      onPlace={setPlace}
      folders={folders}
      marked={marked}
      empty={EMPTY}
    />
  );
}
