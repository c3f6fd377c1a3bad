import { getDocument, GlobalWorkerOptions, InvalidPDFException, version, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { belowBase } from '../../lib/page/base-path';

const OPEN_MS = 30_000;
const MAX_IMAGE_PIXELS = 50_000_000;
const MAX_CANVAS_BYTES = 128 * 1024 * 1024;
/** Where the build puts what PDF.js fetches (`pdf-data.ts`). */
const DATA = belowBase(`/assets/pdf-${version}`);

GlobalWorkerOptions.workerSrc = workerUrl;

export type OpenPdf = { document: PDFDocumentProxy; close: () => void };

/**
 * Reads a PDF in a worker. Nothing in it is run: no scripts, no forms of XFA, no code made of it, and no address in it
 * is asked. Throws an error with a sentence to show.
 */
export async function openPdf(blob: Blob, signal: AbortSignal): Promise<OpenPdf> {
  const data = new Uint8Array(await blob.arrayBuffer());
  signal.throwIfAborted();
  const loading = getDocument({
    data,
    isEvalSupported: false,
    enableXfa: false,
    useWasm: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    canvasMaxAreaInBytes: MAX_CANVAS_BYTES,
    cMapUrl: `${DATA}/cmaps/`,
    standardFontDataUrl: `${DATA}/standard_fonts/`,
    wasmUrl: `${DATA}/wasm/`,
    verbosity: 0,
  });
  const close = () => void loading.destroy();
  signal.addEventListener('abort', close, { once: true });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    close();
  }, OPEN_MS);
  try {
    return { document: await loading.promise, close };
  } catch (error) {
    close();
    throw new Error(isLate ? 'This PDF takes too long to open.' : reasonOf(error), { cause: error });
  } finally {
    clearTimeout(late);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'PasswordException') return 'This PDF is protected by a password.';
  if (error instanceof InvalidPDFException) return 'This PDF is damaged or incomplete.';
  return 'This PDF cannot be shown here.';
}
