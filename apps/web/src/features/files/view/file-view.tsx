import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button';
import { classNames } from '../../../components/class-names';
import { CopyButton } from '../../../components/ui/copy-button';
import { IconButton } from '../../../components/ui/icon-button';
import { PathText } from '../../../components/text/path-text';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { focusIfLost } from '../../../lib/keyboard/focus-if-lost';
import { ApiError } from '../../../lib/http/api-error';
import { revealHidden } from '../../../lib/text/reveal';
import { RelativeLinks, type LinkTarget } from '../../../components/markdown/link-target';
import { fileQuery } from '../files.api';
import type { FileSource } from '../file-source';
import { folderAround, placeHref, type OnPlace } from '../files-search';
import { DownloadNote, useDownloadHere } from '../transfer/download-menu';
import { followTo } from './arrival';
import { FileContentView } from './file-content';
import { useFolderInstead } from './use-folder-instead';
import { isBinary } from './is-binary';
import { linkedPath } from './linked-path';

const MARKDOWN = /\.(md|markdown|mdx)$/i;

type Props = {
  source: FileSource;
  path: string;
  /** Null where the tree is still to be seen beside it. */
  onBack: (() => void) | null;
  /** Shows another file, or with a slash at its end a folder. */
  onPlace: OnPlace;
  /** The line that is looked for, counted from 1. */
  line?: number | null;
};

/** Hands the file over as it is, whatever can be shown of it. */
function DownloadFile({ download, path }: { download: ReturnType<typeof useDownloadHere>; path: string }) {
  return (
    <IconButton
      label="Download the file"
      disabled={download.isPending}
      onClick={() => download.start({ of: 'file', path })}
    >
      <Download size={16} />
    </IconButton>
  );
}

/** One file of a source. */
export function FileView({ source, path, onBack, onPlace, line = null }: Props) {
  const download = useDownloadHere(source.id);
  const targetOf = (href: string): LinkTarget | null => {
    const linked = linkedPath(path, href);
    if (linked === null) return null;
    if (linked.path === path) return { anchor: linked.anchor };
    return {
      open: () => {
        followTo(linked.path, linked.anchor);
        onPlace(linked.path);
      },
      href: placeHref(source, linked.path, linked.anchor),
    };
  };
  const file = useQuery(fileQuery(source, path));
  const isNoFile = file.error instanceof ApiError && file.error.isGone;
  const isLooking = useFolderInstead(source, path, isNoFile, () => onPlace(`${path}/`, { replace: true }));
  const heading = useRef<HTMLHeadingElement>(null);
  // What had the focus is gone: the row with the tree, or a link with the file before.
  useEffect(() => focusIfLost(heading.current), []);
  // A line is one of the source.
  const [isPreview, setPreview] = useState(line === null);
  const isText = file.data !== undefined && !isBinary(file.data);
  const isMarkdown = MARKDOWN.test(path) && isText;
  // A project's files stand below the heading of their tab, a session's in a panel without one.
  const Heading = source.of === 'projects' ? 'h3' : 'h2';
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center gap-1.5 border-b border-line px-2 py-1">
        {onBack !== null && (
          <IconButton label="Back to the files" onClick={onBack}>
            <ArrowLeft size={16} />
          </IconButton>
        )}
        <Heading
          ref={heading}
          tabIndex={-1}
          className={classNames(
            'min-w-0 flex-1 truncate py-1.5 font-mono text-sm outline-none',
            onBack === null && 'ps-2',
          )}
          title={revealHidden(path)}
        >
          <PathText path={path} />
        </Heading>
        {isMarkdown && (
          <Button size="small" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
            {isPreview ? 'Source' : 'Preview'}
          </Button>
        )}
        {isText && <CopyButton text={file.data.content} label="Copy the file" />}
        {source.of === 'sessions' && <DownloadFile download={download} path={path} />}
      </div>
      <DownloadNote download={download} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <QueryGate
          query={isLooking ? { ...file, isError: false } : file}
          pending={
            <div className="p-4">
              <SkeletonRows count={8} className="h-4" />
            </div>
          }
          gone={
            <Button size="small" onClick={() => onPlace(folderAround(path))}>
              Back to the folder
            </Button>
          }
        >
          {(data) => (
            <RelativeLinks value={targetOf}>
              <FileContentView source={source} file={data} isPreview={isMarkdown && isPreview} line={line} />
            </RelativeLinks>
          )}
        </QueryGate>
      </div>
    </div>
  );
}
