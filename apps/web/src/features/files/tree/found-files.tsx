import type { FileEntry } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { File, Folder, Link2 } from 'lucide-react';
import { classNames } from '../../../components/class-names';
import { PathText } from '../../../components/text/path-text';
import { LoadFailure } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatBytes } from '../../../lib/format/count';
import { findFilesQuery } from '../files.api';
import type { FileMarks } from './file-marks';
import { shownFileName } from './file-name';
import type { FileSource } from '../file-source';
import { folderAround } from '../files-search';
import { foundSentence } from './found-sentence';
import { FileMarkSign, FolderMarkSign } from './file-mark';
import { ENTRY, useRowFocus } from './file-rows';

const ICONS = { file: File, directory: Folder, symlink: Link2, other: Link2 } as const;

type RowProps = {
  entry: FileEntry;
  isFocusRow: boolean;
  isShown: boolean;
  marks: FileMarks | null;
  onOpen: () => void;
};

function FoundRow({ entry: { path, kind, size }, isFocusRow, isShown, marks, onOpen }: RowProps) {
  const button = useRowFocus(isFocusRow);
  const Icon = ICONS[kind];
  const isLink = kind === 'symlink' || kind === 'other';
  const faint = isShown ? 'text-muted' : 'text-faint';
  return (
    <li>
      <button
        ref={button}
        type="button"
        data-depth={0}
        disabled={isLink}
        aria-current={isShown || undefined}
        onClick={onOpen}
        className={classNames(ENTRY, 'ps-1.5', isLink && 'text-faint', isShown && 'bg-pressed')}
        title={isLink ? 'Links are not followed' : undefined}
      >
        <Icon
          size={15}
          aria-hidden="true"
          className={classNames('shrink-0', kind === 'directory' ? 'text-accent' : 'text-faint')}
        />
        <span className="min-w-0 flex-1 truncate">
          {shownFileName(path)}{' '}
          <span className={classNames('ms-1 text-xs', faint)}>
            <PathText path={folderAround(path).slice(0, -1)} />
          </span>
        </span>
        {kind === 'file' && (
          <span className={classNames('shrink-0 text-xs tabular-nums', faint)}>{formatBytes(size)}</span>
        )}
        {marks !== null &&
          (kind === 'directory' ? (
            <FolderMarkSign hasChanges={marks.hasChangesBelow(path)} isNotCompared={marks.isNotCompared(path)} />
          ) : (
            <FileMarkSign marked={marks.of(path)} isNotCompared={marks.isNotCompared(path)} />
          ))}
      </button>
    </li>
  );
}

type Props = {
  source: FileSource;
  find: string;
  shown: string | null;
  focusRow: string | null;
  marks: FileMarks | null;
  onFile: (path: string) => void;
  onFolder: (path: string) => void;
};

/** What has a part in its name, in any folder, with the folder beside it. */
export function FoundFiles({ source, find, shown, focusRow, marks, onFile, onFolder }: Props) {
  const found = useQuery(findFilesQuery(source, find));
  return (
    <>
      <p role="status" className="px-1.5 pb-1.5 text-xs text-muted">
        {found.data !== undefined && !found.isPlaceholderData
          ? foundSentence(found.data)
          : !found.isError && 'Searching…'}
      </p>
      {found.data === undefined &&
        (found.isError ? <LoadFailure query={found} /> : <SkeletonRows count={4} className="h-6" />)}
      <ul>
        {found.data?.data.map((entry, at) => (
          <FoundRow
            // Names that are not UTF-8 may look the same.
            key={`${at}/${entry.path}`}
            entry={entry}
            isFocusRow={entry.path === focusRow}
            isShown={entry.path === shown}
            marks={marks}
            onOpen={() => (entry.kind === 'directory' ? onFolder(entry.path) : onFile(entry.path))}
          />
        ))}
      </ul>
    </>
  );
}
