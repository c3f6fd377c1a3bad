import type { FileEntry } from '@chirality/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../../components/ui/button';
import { LoadFailure } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { filesQuery } from '../files.api';
import type { FileMarks } from './file-marks';
import { fileName } from './file-name';
import type { FileSource } from '../file-source';
import type { OpenFolders } from './use-open-folders';
import { fileIndent, FileRow, FolderRow, GoneRow } from './file-rows';

type TreeProps = {
  source: FileSource;
  path: string;
  depth: number;
  folders: OpenFolders;
  /** The file that is shown beside the tree. */
  shown: string | null;
  /** The row where the keyboard continues. */
  focusRow: string | null;
  /** Null where files are not compared with anything. */
  marks: FileMarks | null;
  onFile: (path: string) => void;
  /** What is said when there is nothing at all. */
  empty: ReactNode;
};

/** Directories first, then by name, as people expect of a file list. */
function inOrder(entries: FileEntry[]): FileEntry[] {
  const rank = (entry: FileEntry) => (entry.kind === 'directory' ? 0 : 1);
  return entries.toSorted(
    (a, b) => rank(a) - rank(b) || fileName(a.path).localeCompare(fileName(b.path), undefined, { numeric: true }),
  );
}

/** Names that are not UTF-8 may look the same: the first has its path as key, the next ones a count beside it. */
function withKeys(entries: FileEntry[]): { key: string; entry: FileEntry }[] {
  let same = 0;
  return entries.map((entry, at) => {
    same = entries[at - 1]?.path === entry.path ? same + 1 : 0;
    return { key: same === 0 ? entry.path : `${entry.path}/${same}`, entry };
  });
}

function Entry({ entry, ...tree }: Omit<TreeProps, 'path'> & { entry: FileEntry }) {
  const { depth, folders, marks } = tree;
  const row = { entry, depth, marks, isFocusRow: entry.path === tree.focusRow };
  if (entry.kind !== 'directory')
    return <FileRow {...row} isShown={entry.path === tree.shown} onOpen={() => tree.onFile(entry.path)} />;
  const isOpen = folders.isOpen(entry.path);
  return (
    <FolderRow {...row} isOpen={isOpen} onToggle={() => folders.toggle(entry.path)}>
      {isOpen && <FileTree {...tree} path={entry.path} depth={depth + 1} />}
    </FolderRow>
  );
}

/** One folder of a source; those in it are loaded as they are opened. */
export function FileTree({ path, ...tree }: TreeProps) {
  const { source, depth, marks } = tree;
  const files = useInfiniteQuery(filesQuery(source, path));
  if (files.data === undefined) {
    if (!files.isError) return <SkeletonRows count={depth === 0 ? 6 : 1} className="h-6" />;
    return <LoadFailure query={files} className="m-2" />;
  }
  const entries = files.data.pages.flatMap((page) => page.data);
  const more = files.data.pages.at(-1)?.left ?? 0;
  const kept = entries.map((entry) => entry.path);
  const gone = marks?.goneFrom(path, kept, more === 0) ?? [];
  if (entries.length + gone.length === 0) {
    if (depth > 0)
      return (
        <p className="py-1 text-sm text-faint" style={fileIndent(depth)}>
          empty
        </p>
      );
    return tree.empty;
  }
  return (
    <ul>
      {withKeys(inOrder(entries)).map(({ key, entry }) => (
        <Entry key={key} {...tree} entry={entry} />
      ))}
      {gone.map((one) => (
        <GoneRow key={`deleted/${one.path}`} gone={one} depth={depth} />
      ))}
      {more > 0 && (
        <li style={fileIndent(depth)} className="py-1">
          <Button
            size="small"
            data-depth={depth}
            busy={files.isFetchingNextPage}
            onClick={() => void files.fetchNextPage()}
          >
            Show more ({more.toLocaleString('en-US')} more)
          </Button>
        </li>
      )}
    </ul>
  );
}
