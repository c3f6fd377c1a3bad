import type { FileEntry } from '@chirality/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight, File, Folder, FolderOpen, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { classNames } from '../../../components/ui/class-names';
import { EmptyState } from '../../../components/ui/empty-state';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { FailureText } from '../../../components/ui/failure-text';
import { formatBytes } from '../../../lib/format/count';
import { filesQuery } from '../api/list-files';
import { fileName, shownFileName } from '../file-name';

type TreeProps = { sessionId: string; path: string; depth: number; revision: number; onFile: (path: string) => void };

const ENTRY = 'flex w-full items-center gap-2 rounded-md py-1 pe-2 text-start text-sm transition-colors hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:py-2.5';

/** Directories first, then by name, as people expect of a file list. */
function inOrder(entries: FileEntry[]): FileEntry[] {
  const rank = (entry: FileEntry) => (entry.kind === 'directory' ? 0 : 1);
  return entries.toSorted((a, b) => rank(a) - rank(b) || fileName(a.path).localeCompare(fileName(b.path), undefined, { numeric: true }));
}

function Directory({ entry, sessionId, depth, revision, onFile }: Omit<TreeProps, 'path'> & { entry: FileEntry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={ENTRY} style={{ paddingInlineStart: 6 + depth * 14 }}>
        <ChevronRight size={13} aria-hidden="true" className={classNames('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')} />
        {isOpen ? <FolderOpen size={15} aria-hidden="true" className="shrink-0 text-accent" /> : <Folder size={15} aria-hidden="true" className="shrink-0 text-accent" />}
        <span className="truncate">{shownFileName(entry.path)}</span>
      </button>
      {isOpen && <FileTree sessionId={sessionId} path={entry.path} depth={depth + 1} revision={revision} onFile={onFile} />}
    </li>
  );
}

function Leaf({ entry, depth, onFile }: { entry: FileEntry; depth: number; onFile: (path: string) => void }) {
  const isFile = entry.kind === 'file';
  return (
    <li>
      <button type="button" disabled={!isFile} onClick={() => onFile(entry.path)} className={classNames(ENTRY, !isFile && 'text-faint')} style={{ paddingInlineStart: 25 + depth * 14 }} title={isFile ? formatBytes(entry.size) : 'Links are not followed'}>
        {isFile ? <File size={15} aria-hidden="true" className="shrink-0 text-faint" /> : <Link2 size={15} aria-hidden="true" className="shrink-0" />}
        <span className="min-w-0 flex-1 truncate">{shownFileName(entry.path)}</span>
        {isFile && <span className="shrink-0 text-xs text-faint">{formatBytes(entry.size)}</span>}
      </button>
    </li>
  );
}

export function FileTree({ sessionId, path, depth, revision, onFile }: TreeProps) {
  const files = useInfiniteQuery(filesQuery(sessionId, path, revision));
  if (files.data === undefined) {
    if (!files.isError) return <SkeletonRows count={depth === 0 ? 6 : 1} className="h-6" />;
    return (
      <Callout tone="bad" role="alert" className="m-2" actions={<Button size="small" onClick={() => void files.refetch()}>Try again</Button>}>
        <FailureText error={files.error} />
      </Callout>
    );
  }
  const entries = files.data.pages.flatMap((page) => page.data);
  const left = files.data.pages.at(-1)?.left ?? 0;
  if (entries.length === 0) {
    if (depth > 0) return <p className="py-1 text-sm text-faint" style={{ paddingInlineStart: 25 + depth * 14 }}>empty</p>;
    return (
      <EmptyState icon={<Folder size={20} />} title="No files yet">
        The session’s copy of the project is empty. What Claude writes appears here.
      </EmptyState>
    );
  }
  return (
    <ul>
      {inOrder(entries).map((entry) =>
        entry.kind === 'directory' ? (
          <Directory key={entry.path} entry={entry} sessionId={sessionId} depth={depth} revision={revision} onFile={onFile} />
        ) : (
          <Leaf key={entry.path} entry={entry} depth={depth} onFile={onFile} />
        ),
      )}
      {left > 0 && (
        <li style={{ paddingInlineStart: 25 + depth * 14 }} className="py-1">
          <Button size="small" busy={files.isFetchingNextPage} onClick={() => void files.fetchNextPage()}>
            Show more ({left.toLocaleString('en-US')} more)
          </Button>
        </li>
      )}
    </ul>
  );
}
