import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/**
 * What makes plain bytes of an answer that comes packed although it was asked for plain; null for one that is plain.
 */
export function contentDecoder(headers: IncomingHttpHeaders): Transform | null {
  const encoding = headers['content-encoding'];
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  return encoding === 'deflate' ? createInflate() : null;
}

/** The answer's plain bytes. The stream closes with the answer, also where that is cut. */
export function plainAnswer(answer: IncomingMessage): Readable {
  const decoder = contentDecoder(answer.headers);
  // The reader notices the end of what comes out, whatever the reason.
  return decoder ? pipeline(answer, decoder, () => undefined) : answer;
}
