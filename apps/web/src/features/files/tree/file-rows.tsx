import type { FileEntry } from '@chirality/contracts';
import { ChevronRight, File, Folder, FolderOpen, Link2 } from 'lucide-react';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { classNames } from '../../../components/class-names';
import { focusIfLost } from '../../../lib/keyboard/focus-if-lost';
import { formatBytes, plural } from '../../../lib/format/count';
import type { FileMarks, Gone } from './file-marks';
import { shownFileName } from './file-name';
import { FileMarkSign, FolderMarkSign } from './file-mark';

const ROW = 'flex w-full items-center gap-2 rounded-md py-1 pe-2 text-start text-sm pointer-coarse:py-2.5';
export const ENTRY = classNames(ROW, 'transition-colors hover:bg-hover focus-visible:-outline-offset-2');

const FOLDER_INDENT_PX = 6;
const FILE_INDENT_PX = 25;
const DEPTH_PX = 14;

/** The beginning of a row that has no arrow before it. */
export function fileIndent(depth: number): { paddingInlineStart: number } {
  return { paddingInlineStart: FILE_INDENT_PX + depth * DEPTH_PX };
}

/** `marks`: null where files are not compared with anything. `isFocusRow`: the keyboard continues here. */
type RowProps = { entry: FileEntry; depth: number; isFocusRow: boolean; marks: FileMarks | null };

/** The row's button, which takes the focus where that continues at this row. */
export function useRowFocus(isFocusRow: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocusRow) focusIfLost(button.current);
  }, [isFocusRow]);
  return button;
}

type FolderRowProps = RowProps & { isOpen: boolean; onToggle: () => void; children: ReactNode };

/** A folder, and below it, where it is open, what it has. */
export function FolderRow({ entry, depth, isFocusRow, marks, isOpen, onToggle, children }: FolderRowProps) {
  const button = useRowFocus(isFocusRow);
  const Icon = isOpen ? FolderOpen : Folder;
  return (
    <li>
      <button
        ref={button}
        type="button"
        data-depth={depth}
        aria-expanded={isOpen}
        onClick={onToggle}
        className={ENTRY}
        style={{ paddingInlineStart: FOLDER_INDENT_PX + depth * DEPTH_PX }}
      >
        <ChevronRight
          size={13}
          aria-hidden="true"
          className={classNames('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        <Icon size={15} aria-hidden="true" className="shrink-0 text-accent" />
        <span className="min-w-0 flex-1 truncate">{shownFileName(entry.path)}</span>
        {marks !== null && (
          <FolderMarkSign
            hasChanges={marks.hasChangesBelow(entry.path)}
            isNotCompared={marks.isNotCompared(entry.path)}
          />
        )}
      </button>
      {children}
    </li>
  );
}

type FileRowProps = RowProps & { isShown: boolean; onOpen: () => void };

/** A file with its size, or what is neither file nor folder. */
export function FileRow({ entry, depth, isFocusRow, marks, isShown, onOpen }: FileRowProps) {
  const isFile = entry.kind === 'file';
  const button = useRowFocus(isFocusRow);
  useEffect(() => {
    if (isShown) button.current?.scrollIntoView({ block: 'nearest' });
  }, [button, isShown]);
  const Icon = isFile ? File : Link2;
  return (
    <li>
      <button
        ref={button}
        type="button"
        data-depth={depth}
        disabled={!isFile}
        aria-current={isShown || undefined}
        onClick={onOpen}
        className={classNames(ENTRY, !isFile && 'text-faint', isShown && 'bg-pressed')}
        style={fileIndent(depth)}
        title={isFile ? undefined : 'Links are not followed'}
      >
        <Icon size={15} aria-hidden="true" className={classNames('shrink-0', isFile && 'text-faint')} />
        <span className="min-w-0 flex-1 truncate">{shownFileName(entry.path)}</span>
        {isFile && (
          <span className={classNames('shrink-0 text-xs tabular-nums', isShown ? 'text-muted' : 'text-faint')}>
            {formatBytes(entry.size)}
          </span>
        )}
        {marks !== null && (
          <FileMarkSign marked={marks.of(entry.path)} isNotCompared={marks.isNotCompared(entry.path)} />
        )}
      </button>
    </li>
  );
}

/** What was deleted: there is nothing to open. */
export function GoneRow({ gone: { path, kind, files }, depth }: { gone: Gone; depth: number }) {
  const Icon = kind === 'file' ? File : Folder;
  return (
    <li className={classNames(ROW, 'text-muted')} style={fileIndent(depth)}>
      <Icon size={15} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 flex-1 truncate line-through">{shownFileName(path)}</span>
      {kind === 'directory' && <span className="shrink-0 text-xs">{plural(files, 'file')}</span>}
      <FileMarkSign marked={{ mark: 'deleted' }} />
    </li>
  );
}
