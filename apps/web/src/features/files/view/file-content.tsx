import type { FileContent } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { Highlighted } from '../../../components/code/highlighted';
import { languageOfPath } from '../../../components/code/language-of-path';
import { goToAnchor } from '../../../components/markdown/go-to-anchor';
import { MarkdownView } from '../../../components/markdown/markdown-view';
import { MAX_PDF_BYTES } from '../../../components/pdf/pdf-limits';
import { PdfView } from '../../../components/pdf/pdf-view';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatBytes } from '../../../lib/format/count';
import { revealHidden } from '../../../lib/text/reveal';
import type { FileSource } from '../file-source';
import { wholeFileQuery, wholePictureQuery } from '../transfer/transfers.api';
import { takeArrival } from './arrival';
import { binaryKind } from './binary-kind';
import { isBinary } from './is-binary';

/** A larger one is only downloaded. */
const MAX_PICTURE_BYTES = 20 * 1024 * 1024;

/** A line of the source, which scrolls into view. Lines have one height, so its place is known. */
function LineMark({ line }: { line: number }) {
  const mark = useRef<HTMLDivElement>(null);
  // What it answers is a promise in some browsers, and no clean-up.
  useEffect(() => void mark.current?.scrollIntoView({ block: 'center' }), [line]);
  return (
    <div
      ref={mark}
      data-line={line}
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 h-[1.55em] bg-accent-soft"
      style={{ top: `calc(0.5rem + ${(line - 1) * 1.55}em)` }}
    />
  );
}

function Source({ file, line }: { file: FileContent; line: number | null }) {
  const text = revealHidden(file.content.replaceAll('\r\n', '\n'));
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Content of ${revealHidden(file.path)}`}
      className="relative flex min-w-0 overflow-x-auto font-mono text-sm/[1.55] focus-visible:-outline-offset-2"
    >
      {line !== null && line <= lines && <LineMark line={line} />}
      <pre aria-hidden="true" className="sticky start-0 shrink-0 bg-canvas px-3 py-2 text-end text-faint select-none">
        {Array.from({ length: lines }, (_, at) => at + 1).join('\n')}
      </pre>
      <pre className="relative py-2 pe-4">
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

/** The whole of a picture that the content of a file holds only the beginning of. */
function WholePicture({ source, file, type }: { source: FileSource; file: FileContent; type: string }) {
  const whole = useQuery(wholePictureQuery(source, file.path, type));
  return (
    <QueryGate query={whole} pending={<SkeletonRows count={3} className="m-4 h-8" />}>
      {(url) => <Picture url={url} path={file.path} />}
    </QueryGate>
  );
}

function Picture({ url, path }: { url: string; path: string }) {
  return <img src={url} alt={revealHidden(path)} className="max-w-full p-4" />;
}

/** A PDF from its first bytes where they are all of it, else fetched as a whole. */
function Pdf({ source, file }: { source: FileSource; file: FileContent }) {
  const held = useMemo(() => (file.truncated ? null : new Blob([bytesOf(file)])), [file]);
  const whole = useQuery({ ...wholeFileQuery(source, file.path), enabled: held === null });
  if (held !== null) return <PdfView blob={held} name={file.path} />;
  return (
    <QueryGate query={whole} pending={<SkeletonRows count={3} className="m-4 h-8" />}>
      {(blob) => <PdfView blob={blob} name={file.path} />}
    </QueryGate>
  );
}

function bytesOf({ encoding, content }: FileContent): string | Uint8Array<ArrayBuffer> {
  return encoding === 'utf8' ? content : Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0));
}

function whyNotShown(kind: ReturnType<typeof binaryKind>, { of }: FileSource): string {
  if (of === 'sessions')
    return `It ${kind === null ? 'cannot' : 'is too large to'} be shown here. Download it to open it.`;
  return kind === null ? 'It cannot be shown as text.' : 'It is too large to be shown here.';
}

function Binary({ source, file }: { source: FileSource; file: FileContent }) {
  const kind = binaryKind(file);
  if (kind !== null && kind !== 'application/pdf') {
    if (!file.truncated) return <Picture url={`data:${kind};base64,${file.content}`} path={file.path} />;
    if (source.of === 'sessions' && file.size <= MAX_PICTURE_BYTES)
      return <WholePicture source={source} file={file} type={kind} />;
  }
  const isWithin = !file.truncated || (source.of === 'sessions' && file.size <= MAX_PDF_BYTES);
  if (kind === 'application/pdf' && isWithin) return <Pdf key={file.content} source={source} file={file} />;
  return (
    <p className="p-4 text-muted">
      {kind === 'application/pdf' ? 'PDF' : 'Binary file'} ({formatBytes(file.size)}). {whyNotShown(kind, source)}
    </p>
  );
}

type Props = { source: FileSource; file: FileContent; isPreview: boolean; line: number | null };

/** What a file has, as text, as a document of Markdown, or as a picture. */
export function FileContentView({ source, file, isPreview, line }: Props) {
  if (isBinary(file)) return <Binary source={source} file={file} />;
  if (file.size === 0) return <p className="p-4 text-muted">This file is empty.</p>;
  return (
    <>
      {file.truncated && (
        <p className="border-b border-line px-4 py-2 text-sm text-muted">
          Showing the first part of {formatBytes(file.size)}.
        </p>
      )}
      {isPreview ? <Preview path={file.path} text={file.content} /> : <Source file={file} line={line} />}
    </>
  );
}
