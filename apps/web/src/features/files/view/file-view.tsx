import type { FileContent } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button';
import { classNames } from '../../../components/class-names';
import { CopyButton } from '../../../components/ui/copy-button';
import { IconButton } from '../../../components/ui/icon-button';
import { PathText } from '../../../components/text/path-text';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatBytes } from '../../../lib/format/count';
import { focusIfLost } from '../../../lib/keyboard/focus-if-lost';
import { ApiError } from '../../../lib/http/api-error';
import { revealHidden } from '../../../lib/text/reveal';
import { Highlighted } from '../../../components/code/highlighted';
import { goToAnchor } from '../../../components/markdown/go-to-anchor';
import { MarkdownView } from '../../../components/markdown/markdown-view';
import { RelativeLinks, type LinkTarget } from '../../../components/markdown/link-target';
import { languageOfPath } from '../../../components/code/language-of-path';
import { fileQuery } from '../files.api';
import type { FileSource } from '../file-source';
import { folderAround, placeHref, type OnPlace } from '../files-search';
import { followTo, takeArrival } from './arrival';
import { useFolderInstead } from './use-folder-instead';
import { isBinary } from './is-binary';
import { linkedPath } from './linked-path';

const IMAGES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

function imageType(path: string): string | null {
  return IMAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null;
}

const MARKDOWN = /\.(md|markdown|mdx)$/i;

function Source({ file }: { file: FileContent }) {
  const text = revealHidden(file.content.replaceAll('\r\n', '\n'));
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Content of ${revealHidden(file.path)}`}
      className="flex min-w-0 overflow-x-auto font-mono text-sm/[1.55] focus-visible:-outline-offset-2"
    >
      <pre aria-hidden="true" className="sticky start-0 shrink-0 bg-canvas px-3 py-2 text-end text-faint select-none">
        {Array.from({ length: lines }, (_, at) => at + 1).join('\n')}
      </pre>
      <pre className="py-2 pe-4">
        <code>
          <Highlighted code={text} language={languageOfPath(file.path)} />
        </code>
      </pre>
    </div>
  );
}

function Preview({ path, text }: { path: string; text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const anchor = takeArrival(path);
    if (anchor !== '') goToAnchor(box.current?.querySelector<HTMLElement>('.prose') ?? null, anchor);
  }, [path]);
  return (
    <div ref={box} className="p-4">
      <MarkdownView text={text} isGrowing={false} />
    </div>
  );
}

function Content({ file, isPreview }: { file: FileContent; isPreview: boolean }) {
  if (isBinary(file)) {
    const type = imageType(file.path);
    if (type === null || file.encoding !== 'base64' || file.truncated)
      return <p className="p-4 text-muted">Binary file ({formatBytes(file.size)}). It cannot be shown as text.</p>;
    return <img src={`data:${type};base64,${file.content}`} alt={revealHidden(file.path)} className="max-w-full p-4" />;
  }
  if (file.size === 0) return <p className="p-4 text-muted">This file is empty.</p>;
  return (
    <>
      {file.truncated && (
        <p className="border-b border-line px-4 py-2 text-sm text-muted">
          Showing the first part of {formatBytes(file.size)}.
        </p>
      )}
      {isPreview ? <Preview path={file.path} text={file.content} /> : <Source file={file} />}
    </>
  );
}

type Props = {
  source: FileSource;
  path: string;
  /** Null where the tree is still to be seen beside it. */
  onBack: (() => void) | null;
  /** Shows another file, or with a slash at its end a folder. */
  onPlace: OnPlace;
};

/** One file of a source. */
export function FileView({ source, path, onBack, onPlace }: Props) {
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
  const [isPreview, setPreview] = useState(true);
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
      </div>
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
              <Content file={data} isPreview={isMarkdown && isPreview} />
            </RelativeLinks>
          )}
        </QueryGate>
      </div>
    </div>
  );
}
