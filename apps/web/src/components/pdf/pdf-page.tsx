import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../lib/http/api-error';
import { drawPage } from './draw-page';

type Props = { document: PDFDocumentProxy; page: number; width: number };

/** One page as a picture, with its text above it. */
export function PdfPage({ document, page, width }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const place = { canvas: canvas.current, text: text.current, sheet: sheet.current };
    const { canvas: drawn, text: above, sheet: below } = place;
    if (drawn === null || above === null || below === null) return;
    const leaving = new AbortController();
    drawPage(document, { canvas: drawn, text: above, sheet: below }, { page, width, signal: leaving.signal }).then(
      () => !leaving.signal.aborted && setDrawn(true),
      (error: unknown) => !leaving.signal.aborted && setProblem(messageOf(error)),
    );
    return () => leaving.abort(new Error('the page is not shown'));
  }, [document, page, width]);
  return (
    <>
      {problem !== null && (
        <p role="alert" className="p-4 text-sm text-bad">
          {problem} Download the file to open it.
        </p>
      )}
      <div
        ref={sheet}
        aria-busy={!isDrawn && problem === null}
        hidden={problem !== null}
        className="relative mx-auto bg-white shadow-card"
      >
        <canvas ref={canvas} aria-hidden="true" className="size-full" />
        <div ref={text} className="pdf-text" />
      </div>
    </>
  );
}
