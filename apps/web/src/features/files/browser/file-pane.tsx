import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { classNames } from '../../../components/class-names';
import { useSettled } from '../../../lib/state/use-settled';
import { filesQuery } from '../files.api';
import type { FileSource } from '../file-source';
import type { ShownMarks } from '../tree/use-file-marks';
import type { FocusRow } from './use-focus-row';
import type { OpenFolders } from '../tree/use-open-folders';
import { FileTree } from '../tree/file-tree';
import { FindField } from '../tree/find-field';
import { FoundFiles } from '../tree/found-files';
import { TreePane } from '../tree/tree-pane';

const TYPING_MS = 200;

type Props = {
  source: FileSource;
  /** The file that is shown beside the pane. */
  shown: string | null;
  onPlace: (place: string) => void;
  folders: OpenFolders;
  row: FocusRow;
  /** Null where files are not compared with anything. */
  marked: ShownMarks | null;
  find: string;
  onFind: (find: string) => void;
  empty: ReactNode;
  className?: string;
};

/** The files of a source as a tree, or while a part of a name is typed, what has it. */
export function FilePane({ source, shown, onPlace, folders, row, marked, find, onFind, empty, className }: Props) {
  const top = useInfiniteQuery(filesQuery(source, ''));
  const part = useSettled(find.trim(), TYPING_MS);
  const marks = marked?.marks ?? null;
  const { focusRow, onRowFocus, focusAt } = row;
  const openFolder = (path: string) => {
    onFind('');
    focusAt(path);
    onPlace(`${path}/`);
  };
  const hasFiles = top.data === undefined ? !top.isError : top.data.pages[0]?.total !== 0;
  return (
    <div data-files="" className={classNames('flex min-h-0 flex-col', className)}>
      {(hasFiles || find !== '') && <FindField value={find} onChange={onFind} />}
      <TreePane className="min-h-0 flex-1" focusRow={focusRow} onRowFocus={onRowFocus}>
        {marked?.note != null && <p className="px-1.5 pb-2 text-xs text-muted">{marked.note}</p>}
        {find.trim() !== '' && part !== '' ? (
          <FoundFiles
            source={source}
            find={part}
            {...{ shown, focusRow, marks }}
            onFile={onPlace}
            onFolder={openFolder}
          />
        ) : (
          <FileTree
            source={source}
            path=""
            depth={0}
            {...{ folders, shown, focusRow, marks, empty }}
            onFile={onPlace}
          />
        )}
      </TreePane>
    </div>
  );
}
