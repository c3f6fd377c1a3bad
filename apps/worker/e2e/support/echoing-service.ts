import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type EchoingService = {
  url: string;
  /** The keys that asked for messages, in order. */
  keys(): string[];
  /** Keys that it does not accept. */
  refused: Set<string>;
  /** Where the requests of accepted keys go. */
  target: string;
  close(): Promise<void>;
};

/** A service of the model that is careless with keys: it quotes each one in headers, errors and streams. */
export async function startEchoingService(): Promise<EchoingService> {
  const seen: string[] = [];
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = String(request.headers['x-api-key']);
    if (request.url?.startsWith('/v1/messages?') || request.url === '/v1/messages') seen.push(key);
    if (service.refused.has(key)) {
      request.resume();
      const body = JSON.stringify({
        type: 'error',
        error: { type: 'authentication_error', message: `invalid x-api-key ${key}` },
      });
      response.writeHead(401, { 'content-type': 'application/json', 'x-seen-key': key }).end(body);
      return;
    }
    const onwards = httpRequest(service.target + request.url, {
      method: request.method,
      headers: { ...request.headers, host: 'model', 'x-api-key': 'sk-ant-behind' },
    });
    request.pipe(onwards);
    const [answer] = (await once(onwards, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 502, {
      'content-type': answer.headers['content-type'] ?? 'application/json',
      'x-seen-key': key,
    });
    if (answer.headers['content-type']?.includes('event-stream')) response.write(`: the key was ${key}\n\n`);
    answer.pipe(response);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service: EchoingService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: () => seen,
    refused: new Set(),
    target: '',
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return service;
}
