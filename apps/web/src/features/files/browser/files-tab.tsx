import { Folder } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/ui/empty-state';
import { fileOfPath, folderAround, pathOfFolder } from '../files-search';
import { DropArea } from '../transfer/drop-area';
import { FilesToolbar } from '../transfer/files-toolbar';
import { useUploads } from '../transfer/use-uploads';
import { useFileMarks } from '../tree/use-file-marks';
import { useOpenFolders } from '../tree/use-open-folders';
import type { WantedFile } from '../view/mentioned-file';
import { FileBrowser } from './file-browser';

const EMPTY = (
  <EmptyState icon={<Folder size={20} />} title="No files yet">
    The session’s copy of the project is empty. What Claude writes appears here.
  </EmptyState>
);

type Props = { sessionId: string; revision: string; mayWrite: boolean; wanted: WantedFile | null };

/** The files of a session's workspace. */
export function FilesTab({ sessionId, revision, mayWrite, wanted }: Props) {
  const [place, setPlace] = useState(wanted?.path ?? '');
  const folders = useOpenFolders(place, (folder, isOpen) => setPlace(pathOfFolder(folder, isOpen) ?? ''));
  const marked = useFileMarks(sessionId, revision);
  const uploads = useUploads(sessionId);
  const folder = folderAround(place).replace(/\/$/, '');
  const isFile = fileOfPath(place) !== null;
  return (
    <DropArea onFiles={mayWrite ? (files) => uploads.add(folder, files) : null}>
      {!isFile && <FilesToolbar sessionId={sessionId} folder={folder} uploads={mayWrite ? uploads : null} />}
      <div className="min-h-0 flex-1">
        <FileBrowser
          source={{ of: 'sessions', id: sessionId, revision }}
          place={place}
          onPlace={setPlace}
          folders={folders}
          marked={marked}
          empty={EMPTY}
          line={place === wanted?.path ? wanted.line : null}
        />
      </div>
    </DropArea>
  );
}
