import type { ReactNode } from 'react';
import type { FileSource } from '../file-source';
import { fileOfPath, folderAround } from '../files-search';
import type { ShownMarks } from '../hooks/use-file-marks';
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
  /** Null where files are not compared with anything. */
  marked: ShownMarks | null;
  empty: ReactNode;
};

/** A tree of files, and in its place the file that was chosen. */
export function FileBrowser({ source, place, onPlace, folders, marked, empty }: Props) {
  const { focusRow, onRowFocus } = useFocusRow(place);
  const file = fileOfPath(place);
  if (file !== null) {
    const back = () => onPlace(folderAround(file));
    return <FileView key={file} source={source} path={file} onBack={back} onPlace={onPlace} />;
  }
  return (
    <TreePane className="h-full" focusRow={focusRow} onRowFocus={onRowFocus}>
      {marked?.note != null && <p className="px-1.5 pb-2 text-xs text-muted">{marked.note}</p>}
      <FileTree
        source={source}
        path=""
        depth={0}
        folders={folders}
        shown={null}
        focusRow={focusRow}
        marks={marked?.marks ?? null}
        onFile={onPlace}
        empty={empty}
      />
    </TreePane>
  );
}
