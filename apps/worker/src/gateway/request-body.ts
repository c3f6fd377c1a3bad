import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

export class RequestTooLarge extends Error {}

/** The whole body. Rejects with RequestTooLarge when it is larger than `limitBytes`, and when the client goes away. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.reject(new RequestTooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limitBytes) chunks.push(chunk);
      else reject(new RequestTooLarge());
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client went away')));
  });
}

/** At most `limitBytes` of a reply, for one that is kept whole before it is passed on. Never rejects. */
export function readAtMost(response: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, limitBytes - bytes);
      bytes += part.length;
      chunks.push(part);
    });
    response.once('close', () => resolve(Buffer.concat(chunks)));
    response.once('error', () => undefined);
  });
}
