import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** The first of what was sent with a request, which is still there to be read; nothing of one without a body. */
export async function bodyOfRequest(request: IncomingMessage): Promise<string> {
  if (request.method !== 'POST') return '';
  if (request.readableLength === 0) await once(request, 'readable');
  const body = request.read() as Buffer | null;
  if (body === null) return '';
  request.unshift(body);
  return body.toString('latin1');
}
