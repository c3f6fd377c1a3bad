import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What makes plain bytes of an answer that comes packed although it was asked for plain; null for one that is plain. */
export function contentDecoder(headers: IncomingHttpHeaders): Transform | null {
  const encoding = headers['content-encoding'];
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  return encoding === 'deflate' ? createInflate() : null;
}
