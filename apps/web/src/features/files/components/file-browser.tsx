import type { ReactNode } from 'react';
import type { FileSource } from '../file-source';
import { fileOfPath, folderAround } from '../files-search';
import { useFocusRow } from '../hooks/use-focus-row';
import type { OpenFolders } from '../hooks/use-open-folders';
import { FileTree } from './file-tree';
import { FileView } from './file-view';
import { TreePane } from './tree-pane';

type Props = {
  source: FileSource;
  /** What is looked at: a file, or with a slash at its end a folder; '' is the top. */
  place: string;
  onPlace: (place: string) => void;
  folders: OpenFolders;
  empty: ReactNode;
};

/** A tree of files, and in its place the file that was chosen. */
export function FileBrowser({ source, place, onPlace, folders, empty }: Props) {
  const { focusRow, onRowFocus } = useFocusRow(place);
  const file = fileOfPath(place);
  if (file !== null) {
    const back = () => onPlace(folderAround(file));
    return <FileView key={file} source={source} path={file} onBack={back} onPlace={onPlace} />;
  }
  return (
    <TreePane className="h-full" focusRow={focusRow} onRowFocus={onRowFocus}>
      <FileTree
        source={source}
        path=""
        depth={0}
        folders={folders}
        shown={null}
        focusRow={focusRow}
        onFile={onPlace}
        empty={empty}
      />
    </TreePane>
  );
}
