import { AnnotationMode, TextLayer, type PDFDocumentProxy } from 'pdfjs-dist';

const DRAW_MS = 30_000;
const MAX_SCALE = 4;
const MAX_CANVAS_PIXELS = 16_000_000;
/** Laying out more parts of text than a page of a book has would stop the page. */
const MAX_TEXT_PARTS = 20_000;

type Place = { canvas: HTMLCanvasElement; text: HTMLElement; sheet: HTMLElement };
type Wanted = { page: number; /** In CSS pixels. */ width: number; signal: AbortSignal };

/**
 * Draws one page on a canvas, with its text above it for a screen reader and for selecting. Links and forms are only
 * drawn. Throws an error with a sentence to show, and the signal's reason once it is aborted.
 */
export async function drawPage(
  document: PDFDocumentProxy,
  place: Place,
  { page, width, signal }: Wanted,
): Promise<void> {
  const { canvas, text, sheet } = place;
  const shown = await document.getPage(page);
  signal.throwIfAborted();
  const whole = shown.getViewport({ scale: 1 });
  const scale = Math.min(MAX_SCALE, width / whole.width);
  const viewport = shown.getViewport({ scale });
  const fit = Math.sqrt(MAX_CANVAS_PIXELS / (viewport.width * viewport.height));
  const sharp = shown.getViewport({ scale: scale * Math.min(window.devicePixelRatio, 2, fit) });
  canvas.width = Math.max(1, Math.floor(sharp.width));
  canvas.height = Math.max(1, Math.floor(sharp.height));
  Object.assign(sheet.style, { width: `${viewport.width}px`, height: `${viewport.height}px` });
  sheet.style.setProperty('--total-scale-factor', String(scale));
  text.replaceChildren();

  const drawing = shown.render({ canvas, viewport: sharp, annotationMode: AnnotationMode.ENABLE });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    drawing.cancel();
  }, DRAW_MS);
  const cancel = () => drawing.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await drawing.promise;
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(isLate ? 'This page takes too long to draw.' : 'This page cannot be drawn.', { cause: error });
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', cancel);
  }
  const content = await shown.getTextContent();
  signal.throwIfAborted();
  if (content.items.length <= MAX_TEXT_PARTS)
    await new TextLayer({ textContentSource: content, container: text, viewport }).render();
}
