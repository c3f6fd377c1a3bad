import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Exchange = { method: string; path: string; headers: Record<string, string>; body: string };
export type Reply = { status: number; body: string };

/** One way to disobey the protocol. What is absent stays as the server has it. */
export type Break = {
  name: string;
  /** The scenarios of which at least one has to notice. */
  noticedBy: readonly string[];
  /** Changes the request on its way to the server; a reply is given instead of asking it. */
  request?: (exchange: Exchange) => Exchange | Reply;
  reply?: (reply: Reply, exchange: Exchange) => Reply;
  /** One block of an event stream becomes these. */
  events?: () => (block: string) => readonly string[];
};

/** Stands before a server that obeys, and breaks one thing. */
export async function startBreakingProxy(
  server: string,
  broken: Break,
): Promise<{ url: string; close(): Promise<void> }> {
  const proxy = createServer((request, response) => {
    void forward(server, broken, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

async function forward(server: string, broken: Break, request: IncomingMessage, response: ServerResponse) {
  const asked: Exchange = {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: passedOn(request),
    body: await textOf(request),
  };
  const changed = broken.request?.(asked) ?? asked;
  if ('status' in changed) {
    response.writeHead(changed.status, { 'content-type': 'application/json' }).end(changed.body);
    return;
  }
  const abort = new AbortController();
  response.on('close', () => abort.abort());
  const answer = await fetch(server + changed.path, {
    method: changed.method,
    headers: changed.headers,
    signal: abort.signal,
    ...(changed.body === '' ? {} : { body: changed.body }),
  });
  const contentType = answer.headers.get('content-type') ?? 'application/json';
  if (contentType.startsWith('text/event-stream')) {
    response.writeHead(answer.status, { 'content-type': contentType });
    await pipeEvents(answer, response, broken.events?.() ?? ((block) => [block]));
    return;
  }
  const reply = { status: answer.status, body: await answer.text() };
  const given = broken.reply?.(reply, changed) ?? reply;
  response.writeHead(given.status, { 'content-type': contentType }).end(given.body);
}

async function pipeEvents(answer: Response, response: ServerResponse, change: (block: string) => readonly string[]) {
  const decoder = new TextDecoder();
  let open = '';
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (open + decoder.decode(chunk, { stream: true })).split('\n\n');
    open = blocks.pop() ?? '';
    for (const block of blocks) for (const changed of change(block)) response.write(`${changed}\n\n`);
  }
  response.end();
}

const PASSED_ON = ['authorization', 'content-type', 'accept', 'last-event-id', 'idempotency-key'];

function passedOn(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
