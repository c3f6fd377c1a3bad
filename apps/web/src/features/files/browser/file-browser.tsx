import { useState, type ReactNode } from 'react';
import type { FileSource } from '../file-source';
import { fileOfPath, folderAround, type OnPlace } from '../files-search';
import type { ShownMarks } from '../tree/use-file-marks';
import { useFocusRow } from './use-focus-row';
import type { OpenFolders } from '../tree/use-open-folders';
import { FilePane } from './file-pane';
import { FileView } from '../view/file-view';

type Props = {
  source: FileSource;
  /** What is looked at: a file, or with a slash at its end a folder; '' is the top. */
  place: string;
  onPlace: OnPlace;
  folders: OpenFolders;
  /** Null where files are not compared with anything. */
  marked: ShownMarks | null;
  empty: ReactNode;
  /** The line that is looked for in the file that is shown. */
  line?: number | null;
};

/** The files of a source, and in their place the file that was chosen. */
export function FileBrowser({ source, place, onPlace, line = null, ...pane }: Props) {
  const row = useFocusRow(place);
  const [find, setFind] = useState('');
  const file = fileOfPath(place);
  if (file !== null) {
    const back = () => onPlace(folderAround(file));
    return <FileView key={file} source={source} path={file} onBack={back} onPlace={onPlace} line={line} />;
  }
  return (
    <FilePane
      {...pane}
      source={source}
      shown={null}
      onPlace={onPlace}
      row={row}
      find={find}
      onFind={setFind}
      className="h-full"
    />
  );
}
