import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { waitFor } from '@chirality/testing';
import { Server as SocketIo } from 'socket.io';
import { WebSocket } from 'ws';
import { serveBelow } from '../core/address/base-path';
import type { LiveSockets } from '../live/live-sockets';
import { socketServerOptions, UnprovenConnections } from '../live/socket-admission';
import type { WebsocketConnections } from './websocket-connections';
import { WebsocketUpgrade } from './websocket-upgrade';

const config = { publicUrl: 'http://localhost/base' };
const UPGRADE = [
  'host: localhost',
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
];
const asking = (path: string, method = 'GET', more: string[] = []) =>
  `${method} ${path} HTTP/1.1\r\n${[...UPGRADE, ...more].join('\r\n')}\r\n\r\n`;

describe('upgrades', () => {
  const open = jest.fn();
  const errors = jest.fn();
  let authenticate = jest.fn();
  let http: Server;
  let io: SocketIo;

  beforeEach(async () => {
    for (const each of [open, errors]) each.mockReset();
    authenticate = jest.fn().mockRejectedValue(new Error('no token here'));
    http = createServer((request, response) => {
      if (request.url === '/quick') response.end('quick');
    });
    const unproven = new UnprovenConnections(() => 'peer');
    serveBelow(http, '/base');
    new WebsocketUpgrade(
      config,
      unproven,
      { authenticate: (...said: unknown[]) => authenticate(...said) as unknown } as unknown as LiveSockets,
      { count: 0, open } as unknown as WebsocketConnections,
      { error: errors } as never,
    ).serve(http);
    io = new SocketIo(http, socketServerOptions(config, { openConnections: () => 0, unproven }));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => io.close());

  /** What came until the server ended it. This side never closes its half. */
  const send = async (...parts: string[]): Promise<string> => {
    const socket: Socket = connect({
      port: (http.address() as AddressInfo).port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    let text = '';
    let isOver = false;
    socket.on('data', (part) => (text += part.toString()));
    socket.on('end', () => (isOver = true)).on('error', () => (isOver = true));
    socket.write(parts.join(''));
    await waitFor(() => isOver, { what: `the end of ${parts.join('').slice(0, 60)}`, timeoutMs: 3_000 });
    await waitFor(async () => (await countOpen()) === 0, { what: 'the server has let go of it', timeoutMs: 3_000 });
    socket.destroy();
    return text;
  };
  const countOpen = () =>
    new Promise<number>((resolve, reject) =>
      http.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );

  it.each(['/nope', '/v1/ws', '/socket.io/?EIO=4&transport=websocket'])(
    'that are pipelined behind an open answer end the connection and nothing else: %s',
    async (path) => {
      for (const first of ['/quick', '/never'])
        expect(await send(`GET ${first} HTTP/1.1\r\nhost: localhost\r\n\r\n`, asking(path))).not.toContain('101');
      expect(open).not.toHaveBeenCalled();
      expect(await send(asking('/nope'))).toContain('404');
    },
  );

  it.each([
    '/',
    '/nope',
    '/x/../socket.io/?EIO=4&transport=websocket',
    '/%2e/socket.io/',
    '//socket.io/',
    '/socket.io',
    'http://localhost/socket.io/?EIO=4&transport=websocket',
    'http://localhost/v1/ws',
    '/x/../v1/ws',
    '/v1/ws/',
    '/base/nope',
    '/base/x/../socket.io/',
    '*',
  ])('that nothing takes are answered and closed: %s', async (path) => {
    const answer = await send(asking(path));
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(answer).toContain('content-type: application/problem+json');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('that are refused are closed: by us, by the WebSocket’s rules and by Socket.IO', async () => {
    expect(await send(asking('/v1/ws', 'GET', ['origin: http://evil.example']))).toContain('403 Forbidden');
    expect(await send(asking('/v1/ws?token=x'))).toContain('VALIDATION_FAILED');
    expect(await send(asking('/v1/ws', 'GET', ['authorization: Bearer x']))).toContain('500 Internal Server Error');
    expect(await send(asking('/v1/ws', 'POST'))).toContain('405');
    expect(await send(asking('/socket.io/?transport=other'))).toContain('400');
    expect(await send(asking('/socket.io/../v1/ws'))).toMatch(/^HTTP\/1\.1 400[^]*unknown/);
    expect(open).not.toHaveBeenCalled();
  });

  it.each(['/v1/ws', '/base/v1/ws?session=x'])('of the address are taken, and stay: %s', async (path) => {
    const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}${path}`);
    await new Promise((resolve) => socket.once('open', resolve));
    expect(open).toHaveBeenCalledTimes(1);
    socket.terminate();
  });

  describe('on a connection that takes nothing', () => {
    class Stuck extends Duplex {
      override _read(): void {}
      override _write(): void {}
    }
    const offer = (url: string, headers: object = {}): Stuck => {
      const socket = new Stuck();
      const request = { url, method: 'GET', headers: { host: 'localhost', ...headers } };
      http.emit('upgrade', request as unknown as IncomingMessage, socket, Buffer.alloc(0));
      return socket;
    };
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('are cut in time: refused, or still being looked at', () => {
      authenticate.mockReturnValue(new Promise(() => undefined));
      const offered = [offer('/nope'), offer('/v1/ws', { authorization: 'Bearer x' })];
      jest.advanceTimersByTime(9_000);
      expect(offered.map(({ destroyed }) => destroyed)).toEqual([false, false]);
      jest.advanceTimersByTime(2_000);
      expect(offered.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    });

    it('are cut at once where looking at them fails', () => {
      const broken = Object.defineProperty({}, 'url', {
        get: () => {
          throw new Error('unreadable');
        },
      });
      const other = new Stuck();
      expect(() => http.listeners('upgrade')[1]?.(broken, other, Buffer.alloc(0))).not.toThrow();
      expect(other.destroyed).toBe(true);
    });
  });
});
