import { useEffect, useState } from 'react';
import { messageOf } from '../../lib/http/api-error';
import { openPdf, type OpenPdf } from './open-pdf';

type Opened = { blob: Blob; pdf: OpenPdf | null; problem: string | null };

/** A document for as long as it is shown; null while it opens. */
export function usePdf(blob: Blob): { pdf: OpenPdf | null; problem: string | null } {
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    let pdf: OpenPdf | null = null;
    openPdf(blob, leaving.signal).then(
      (made) => {
        pdf = made;
        if (leaving.signal.aborted) made.close();
        else setOpened({ blob, pdf: made, problem: null });
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setOpened({ blob, pdf: null, problem: messageOf(error) });
      },
    );
    return () => {
      leaving.abort(new Error('the document is not shown'));
      pdf?.close();
    };
  }, [blob]);
  return opened?.blob === blob ? opened : { pdf: null, problem: null };
}
