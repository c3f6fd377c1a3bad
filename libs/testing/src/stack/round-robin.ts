import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface RoundRobin {
  url: string;
  /** How many requests and upgrades each address was given, in their order. */
  readonly given: number[];
  close(): Promise<void>;
}

/**
 * A balancer without stickiness: each request, and each upgrade to a WebSocket, goes to the next address. One that takes no
 * connection is passed over; nothing was sent to it by then.
 */
export async function startRoundRobin(urls: readonly string[]): Promise<RoundRobin> {
  const ports = urls.map((url) => Number(new URL(url).port));
  const given = ports.map(() => 0);
  const upgraded = new Set<Socket>();
  let turn = 0;

  /** A connection to the next address that takes one; null when none does. */
  async function dialNext(): Promise<{ socket: Socket; port: number } | null> {
    // Counted from here: requests that come meanwhile take turns too, and would have this one try the same address
    // twice.
    const first = turn++;
    for (let tries = 0; tries < ports.length; tries += 1) {
      const at = (first + tries) % ports.length;
      const port = ports[at] ?? 0;
      const socket = await dial(port);
      if (!socket) continue;
      given[at] = (given[at] ?? 0) + 1;
      return { socket, port };
    }
    return null;
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const next = await dialNext();
    if (!next) return void outgoing.writeHead(502).end();
    // The connection has shown that a server listens there; the request opens another.
    next.socket.destroy();
    const { method, url, headers } = incoming;
    const forwarded = request(
      { host: '127.0.0.1', port: next.port, method, path: url, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => outgoing.destroy()).pipe(outgoing);
        outgoing.once('close', () => forwarded.destroy());
      },
    );
    // One that dies in the middle of an answer breaks it off for the client too.
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  }

  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    upgraded.add(client);
    client.once('close', () => upgraded.delete(client)).on('error', () => client.destroy());
    void dialNext().then((next) => {
      if (!next) return void client.destroy();
      const { socket } = next;
      socket.on('error', () => client.destroy()).once('close', () => client.destroy());
      client.once('close', () => socket.destroy());
      const lines = Array.from(
        { length: incoming.rawHeaders.length / 2 },
        (_, at) => `${incoming.rawHeaders[2 * at]}: ${incoming.rawHeaders[2 * at + 1]}`,
      );
      socket.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.write(head);
      client.pipe(socket).pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    given,
    close: async () => {
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function dial(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}
