import type { IncomingMessage } from 'node:http';

/** As the real service: a larger request is refused with 413. */
const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** The whole body; null when it is larger than the limit. */
export async function readBody(request: IncomingMessage, limitBytes = BODY_LIMIT_BYTES): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
  }
  return bytes > limitBytes ? null : Buffer.concat(chunks).toString('utf8');
}
