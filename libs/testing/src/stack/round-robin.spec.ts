import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startRoundRobin } from './round-robin';

describe('the balancer', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** A server that answers with its name and what it was sent. */
  async function serve(name: string): Promise<string> {
    const server = createServer((request, response) => {
      void text(request).then((body) => response.end(`${name} ${request.method} ${request.url} ${body}`));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('gives each request to the next address and passes over one that is gone', async () => {
    const balancer = await startRoundRobin([await serve('a'), await serve('b')]);
    const ask = async () => (await fetch(`${balancer.url}/path?x=1`, { method: 'POST', body: 'body' })).text();
    expect([await ask(), await ask(), await ask()]).toEqual([
      'a POST /path?x=1 body',
      'b POST /path?x=1 body',
      'a POST /path?x=1 body',
    ]);
    const [, second] = servers;
    second?.closeAllConnections();
    await new Promise((resolve) => second?.close(resolve));
    expect([await ask(), await ask()]).toEqual(['a POST /path?x=1 body', 'a POST /path?x=1 body']);
    expect(balancer.given).toEqual([4, 1]);
    await balancer.close();
  });

  it('finds the one that is left, however many ask at once', async () => {
    const balancer = await startRoundRobin([await serve('a'), await serve('b')]);
    const [, second] = servers;
    await new Promise((resolve) => second?.close(resolve));
    const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(balancer.url)));
    await balancer.close();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
