import { lazy, Suspense } from 'react';
import { Spinner } from '../ui/spinner';

/** What draws it is large, and fetched when the first one is shown. */
const PdfPages = lazy(() => import('./pdf-pages'));

/** A PDF of at most `MAX_PDF_BYTES`, page by page. What cannot be shown says why. */
export function PdfView({ blob, name }: { blob: Blob; name: string }) {
  return (
    <Suspense
      fallback={
        <p role="status" className="flex items-center gap-2 p-4 text-muted">
          <Spinner size={14} /> Opening the PDF…
        </p>
      }
    >
      <PdfPages blob={blob} name={name} />
    </Suspense>
  );
}
