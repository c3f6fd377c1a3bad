import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { revealHidden } from '../../lib/text/reveal';
import { IconButton } from '../ui/icon-button';
import { Spinner } from '../ui/spinner';
import { MAX_PDF_PAGES } from './pdf-limits';
import { PdfPage } from './pdf-page';
import { usePdf } from './use-pdf';

/** Of the width that there is. */
const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3];
const FIT = ZOOMS.indexOf(1);
const MARGIN_PX = 32;

type Props = { blob: Blob; name: string };

/** A PDF, page by page. */
export default function PdfPages({ blob, name }: Props) {
  const { pdf, problem } = usePdf(blob);
  const [page, setPage] = useState(1);
  const [zoom, setZoom] = useState(FIT);
  const [width, setWidth] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const fieldId = useId();
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(120, (entry?.contentRect.width ?? 0) - MARGIN_PX)));
    watch.observe(element);
    return () => watch.disconnect();
  }, [pdf]);
  if (problem !== null)
    return (
      <p role="alert" className="p-4 text-muted">
        {problem} Download it to open it.
      </p>
    );
  if (pdf === null)
    return (
      <p role="status" className="flex items-center gap-2 p-4 text-muted">
        <Spinner size={14} /> Opening the PDF…
      </p>
    );
  const { numPages } = pdf.document;
  const last = Math.min(numPages, MAX_PDF_PAGES);
  const show = (next: number) => {
    if (next < 1 || next > last) return;
    setPage(next);
    box.current?.scrollTo({ top: 0 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(page + step);
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div
        role="toolbar"
        aria-label="Pages"
        className="flex flex-wrap items-center justify-center gap-1 border-b border-line px-2 py-1 text-sm"
      >
        <IconButton label="Previous page" disabled={page <= 1} onClick={() => show(page - 1)}>
          <ChevronLeft size={16} />
        </IconButton>
        <label htmlFor={fieldId}>Page</label>
        <input
          id={fieldId}
          type="number"
          min={1}
          max={last}
          value={page}
          onChange={({ target }) => show(Math.trunc(target.valueAsNumber))}
          className="h-8 w-16 rounded-md border border-line-strong bg-surface px-2 text-center tabular-nums pointer-coarse:h-10"
        />
        <span className="tabular-nums">of {numPages}</span>
        <IconButton label="Next page" disabled={page >= last} onClick={() => show(page + 1)}>
          <ChevronRight size={16} />
        </IconButton>
        <IconButton label="Smaller" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          <ZoomOut size={16} />
        </IconButton>
        <IconButton label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
          <ZoomIn size={16} />
        </IconButton>
      </div>
      {numPages > last && (
        <p className="px-4 py-1 text-sm text-muted">
          The first {last} pages can be shown. Download it to read the rest.
        </p>
      )}
      <p role="status" className="sr-only">
        Page {page} of {numPages}
      </p>
      <div
        ref={box}
        role="region"
        aria-label={`Page ${page} of ${revealHidden(name)}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-auto bg-sunken p-4 focus-visible:-outline-offset-2"
      >
        {width > 0 && <PdfPage key={page} document={pdf.document} page={page} width={width * (ZOOMS[zoom] ?? 1)} />}
      </div>
    </div>
  );
}
