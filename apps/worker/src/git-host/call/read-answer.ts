import type { IncomingMessage } from 'node:http';
import { HostCallError } from './host-call-error';

/** All of an answer. Throws once it is larger than that. */
export async function readHead(answer: IncomingMessage, host: string, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new HostCallError(host, { kind: 'too-large' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The last bytes of an answer, from the beginning of a line where it was cut, in flat memory. */
export async function readTail(
  answer: IncomingMessage,
  host: string,
  maxBytes: number,
  tailBytes: number,
): Promise<string> {
  let tail = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new HostCallError(host, { kind: 'too-large' });
    tail = Buffer.concat([tail, chunk]);
    if (tail.length > tailBytes * 2) tail = tail.subarray(-tailBytes);
  }
  tail = tail.subarray(-tailBytes);
  const text = tail.toString('utf8');
  return tail.length < bytes ? text.slice(text.indexOf('\n') + 1) : text;
}
