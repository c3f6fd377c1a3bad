import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { DEFAULT_EGRESS_LIMITS } from './egress.types';
import { forwardRequest } from './forward-request';

const listening = async (server: Server | HttpServer): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

describe('a plain request that is sent on', () => {
  let said = '';
  let proxyPort: number;
  const host = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.from(said, 'latin1')));
  });
  const proxy = createHttpServer((request, response) => {
    const { port } = host.address() as AddressInfo;
    const url = new URL(`http://host.test:${port}/`);
    forwardRequest({
      request,
      response,
      url,
      addresses: [{ address: '127.0.0.1', family: 4 }],
      limits: DEFAULT_EGRESS_LIMITS,
      hold: () => undefined,
      note: () => undefined,
    });
  });

  beforeAll(async () => {
    await listening(host);
    proxyPort = await listening(proxy);
  });
  afterAll(() => {
    host.close();
    proxy.close();
  });

  const ask = async (answer: string): Promise<string> => {
    said = answer;
    const socket = connect(proxyPort, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return text(socket);
  };

  it('brings the host’s answer back, without its reason phrase', async () => {
    expect(await ask('HTTP/1.1 404 nothing caf\xe9\r\nX-Odd: caf\xe9\r\nContent-Length: 2\r\n\r\nhi')).toMatch(
      /^HTTP\/1\.1 404 Not Found\r\n[^]*x-odd: [^]*\r\n\r\nhi$/i,
    );
  });

  it.each([
    [
      'a control character in its reason phrase',
      'HTTP/1.1 200 \x01OK\r\nContent-Length: 2\r\n\r\nhi',
      /^HTTP\/1\.1 200 OK\r\n[^]*hi$/,
    ],
    ['a status that is none', 'HTTP/1.1 042 Odd\r\nContent-Length: 2\r\n\r\nhi', /^HTTP\/1\.1 502 Bad Gateway/],
    ['a status of zero', 'HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\nhi', /^HTTP\/1\.1 502 Bad Gateway/],
    [
      'another protocol that was not requested',
      'HTTP/1.1 101 Switching\r\nContent-Length: 2\r\n\r\nhi',
      /^HTTP\/1\.1 502 Bad Gateway/,
    ],
    [
      'a change to another protocol',
      'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
      /^HTTP\/1\.1 502 Bad Gateway/,
    ],
    ['no HTTP at all', 'SSH-2.0-OpenSSH\r\n', /^HTTP\/1\.1 502 Bad Gateway/],
  ])('survives an answer with %s', async (_what, answer, seen) => {
    expect(await ask(answer)).toMatch(seen);
  });
});
