import { useState, type ReactNode } from 'react';
import type { FileSource } from '../file-source';
import { folderAround } from '../files-search';
import type { OpenFolders } from '../hooks/use-open-folders';
import { FileTree } from './file-tree';
import { FileView } from './file-view';
import { TreePane } from './tree-pane';

type Props = {
  source: FileSource;
  /** The file that is looked at. */
  file: string | null;
  /** Shows a file, or with a slash at its end a folder; '' is the top. */
  onPlace: (place: string) => void;
  folders: OpenFolders;
  empty: ReactNode;
};

/** A tree of files, and in its place the file that was chosen. */
export function FileBrowser({ source, file, onPlace, folders, empty }: Props) {
  const [left, setLeft] = useState<string | null>(null);
  if (file !== null) {
    const back = () => {
      setLeft(file);
      onPlace(folderAround(file));
    };
    return <FileView key={file} source={source} path={file} onBack={back} onPlace={onPlace} />;
  }
  return (
    // Once the focus is in the tree, it is not moved again.
    <TreePane className="h-full" onFocus={() => setLeft(null)}>
      <FileTree
        source={source}
        path=""
        depth={0}
        folders={folders}
        shown={null}
        left={left}
        onFile={onPlace}
        empty={empty}
      />
    </TreePane>
  );
}
