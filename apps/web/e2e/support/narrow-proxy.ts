import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What a proxy of a company does to what is live. */
export type Narrowness = { refusesUpgrades: boolean; swallowsUpgrades?: boolean; holdsStreamsBack: boolean };

export type NarrowProxy = { url: string; narrowness: Narrowness; upgrades: number; close(): Promise<void> };

/** A proxy in front of the api that lets less through than it should; what it does can be changed while it runs. */
export async function startNarrowProxy(api: string, narrowness: Narrowness, port = 0): Promise<NarrowProxy> {
  const sockets = new Set<Socket>();
  const target = new URL(api);
  const pass = (from: IncomingMessage) =>
    request({ host: target.hostname, port: target.port, method: from.method, path: from.url, headers: from.headers });
  const server = createServer((from: IncomingMessage, to: ServerResponse) => {
    const onward = pass(from);
    onward.once('response', (answer) => {
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      if (isStream && proxy.narrowness.holdsStreamsBack) to.flushHeaders();
      else answer.pipe(to);
      to.once('close', () => answer.destroy());
      if (isStream && proxy.narrowness.holdsStreamsBack) answer.resume();
    });
    onward.once('error', () => to.destroy());
    from.pipe(onward);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('upgrade', (from: IncomingMessage, socket: Socket, head: Buffer) => {
    proxy.upgrades += 1;
    if (proxy.narrowness.swallowsUpgrades) return;
    if (proxy.narrowness.refusesUpgrades) return void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
    const onward = pass(from);
    onward.once('upgrade', (answer, peer: Socket, first: Buffer) => {
      const lines = answer.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.write(first);
      peer.write(head);
      peer.pipe(socket).pipe(peer);
      peer.on('error', () => socket.destroy());
      socket.once('close', () => peer.destroy());
    });
    onward.once('error', () => socket.destroy());
    onward.end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const proxy: NarrowProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    narrowness,
    upgrades: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
