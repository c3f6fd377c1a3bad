import type { FileEntry } from '@chirality/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight, File, Folder, FolderOpen, Link2 } from 'lucide-react';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Button } from '../../../components/ui/button';
import { classNames } from '../../../components/ui/class-names';
import { LoadFailure } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { focusIfLost } from '../../../lib/focus-if-lost';
import { formatBytes } from '../../../lib/format/count';
import { filesQuery } from '../api/list-files';
import { fileName, shownFileName } from '../file-name';
import type { FileSource } from '../file-source';
import type { OpenFolders } from '../hooks/use-open-folders';

type TreeProps = {
  source: FileSource;
  path: string;
  depth: number;
  folders: OpenFolders;
  /** The file that is shown beside the tree. */
  shown: string | null;
  /** The row where the keyboard continues. */
  focusRow: string | null;
  onFile: (path: string) => void;
  /** What is said when there is nothing at all. */
  empty: ReactNode;
};

const ENTRY = 'flex w-full items-center gap-2 rounded-md py-1 pe-2 text-start text-sm transition-colors hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:py-2.5';

/** Directories first, then by name, as people expect of a file list. */
function inOrder(entries: FileEntry[]): FileEntry[] {
  const rank = (entry: FileEntry) => (entry.kind === 'directory' ? 0 : 1);
  return entries.toSorted((a, b) => rank(a) - rank(b) || fileName(a.path).localeCompare(fileName(b.path), undefined, { numeric: true }));
}

/** Names that are not UTF-8 may look the same: the first has its path as key, the next ones a count beside it. */
function withKeys(entries: FileEntry[]): { key: string; entry: FileEntry }[] {
  let same = 0;
  return entries.map((entry, at) => {
    same = entries[at - 1]?.path === entry.path ? same + 1 : 0;
    return { key: same === 0 ? entry.path : `${entry.path}/${same}`, entry };
  });
}

/** The row's button, which takes the focus where that continues at this row. */
function useRowFocus(isFocusRow: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocusRow) focusIfLost(button.current);
  }, [isFocusRow]);
  return button;
}

function Directory({ entry, ...tree }: Omit<TreeProps, 'path'> & { entry: FileEntry }) {
  const { depth, folders } = tree;
  const isOpen = folders.isOpen(entry.path);
  const button = useRowFocus(entry.path === tree.focusRow);
  return (
    <li>
      <button
        ref={button}
        type="button"
        data-depth={depth}
        aria-expanded={isOpen}
        onClick={() => folders.toggle(entry.path)}
        className={ENTRY}
        style={{ paddingInlineStart: 6 + depth * 14 }}
      >
        <ChevronRight
          size={13}
          aria-hidden="true"
          className={classNames('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        {isOpen ? (
          <FolderOpen size={15} aria-hidden="true" className="shrink-0 text-accent" />
        ) : (
          <Folder size={15} aria-hidden="true" className="shrink-0 text-accent" />
        )}
        <span className="truncate">{shownFileName(entry.path)}</span>
      </button>
      {isOpen && <FileTree {...tree} path={entry.path} depth={depth + 1} />}
    </li>
  );
}

function Leaf({
  entry,
  depth,
  shown,
  focusRow,
  onFile,
}: Pick<TreeProps, 'depth' | 'shown' | 'focusRow' | 'onFile'> & { entry: FileEntry }) {
  const isFile = entry.kind === 'file';
  const isShown = entry.path === shown;
  const button = useRowFocus(entry.path === focusRow);
  useEffect(() => {
    if (isShown) button.current?.scrollIntoView({ block: 'nearest' });
  }, [button, isShown]);
  return (
    <li>
      <button
        ref={button}
        type="button"
        data-depth={depth}
        disabled={!isFile}
        aria-current={isShown || undefined}
        onClick={() => onFile(entry.path)}
        className={classNames(ENTRY, !isFile && 'text-faint', isShown && 'bg-pressed')}
        style={{ paddingInlineStart: 25 + depth * 14 }}
        title={isFile ? formatBytes(entry.size) : 'Links are not followed'}
      >
        {isFile ? (
          <File size={15} aria-hidden="true" className="shrink-0 text-faint" />
        ) : (
          <Link2 size={15} aria-hidden="true" className="shrink-0" />
        )}
        <span className="min-w-0 flex-1 truncate">{shownFileName(entry.path)}</span>
        {isFile && (
          <span className={classNames('shrink-0 text-xs', isShown ? 'text-muted' : 'text-faint')}>
            {formatBytes(entry.size)}
          </span>
        )}
      </button>
    </li>
  );
}

/** One folder of a source; those in it are loaded as they are opened. */
export function FileTree({ path, ...tree }: TreeProps) {
  const { source, depth } = tree;
  const files = useInfiniteQuery(filesQuery(source, path));
  if (files.data === undefined) {
    if (!files.isError) return <SkeletonRows count={depth === 0 ? 6 : 1} className="h-6" />;
    return <LoadFailure query={files} className="m-2" />;
  }
  const entries = files.data.pages.flatMap((page) => page.data);
  const more = files.data.pages.at(-1)?.left ?? 0;
  if (entries.length === 0) {
    if (depth > 0) return <p className="py-1 text-sm text-faint" style={{ paddingInlineStart: 25 + depth * 14 }}>empty</p>;
    return tree.empty;
  }
  return (
    <ul>
      {withKeys(inOrder(entries)).map(({ key, entry }) =>
        entry.kind === 'directory' ? (
          <Directory key={key} {...tree} entry={entry} />
        ) : (
          <Leaf key={key} {...tree} entry={entry} />
        ),
      )}
      {more > 0 && (
        <li style={{ paddingInlineStart: 25 + depth * 14 }} className="py-1">
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
