import type { IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { waitFor } from '@chirality/testing';
import { ask, errorTypeOf, REAL_KEY, startGatewayBench, type GatewayBench } from '../../../test/gateway-bench';
import { streamedAnswer } from '../../../test/model-upstream';
import { checkUpstream } from '../upstream/check-upstream';
import { Upstream } from '../upstream/upstream';

const TURN = { turnId: 'turn_1', attempt: 1, authorId: 'user_1' };

describe('answers through the model gateway', () => {
  let bench: GatewayBench;
  beforeEach(async () => {
    bench = await startGatewayBench();
    bench.lease.bind(TURN);
  });
  afterEach(() => bench.close());

  const asked = () => ({ token: bench.lease.token });

  it('come back byte for byte', async () => {
    expect(await ask(bench.lease.socketPath, asked())).toMatchObject({
      status: 200,
      body: streamedAnswer('msg_1', 'hello 🎉').join(''),
    });
  });

  it('are handed on piece by piece, each before the next one is written', async () => {
    const parts = streamedAnswer('msg_1', 'step');
    let next: () => void = () => undefined;
    bench.upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let index = 0;
      next = () => void (index < parts.length ? response.write(parts[index++] ?? '') : response.end());
      next();
    };
    const seen: string[] = [];
    const onData = (chunk: string): void => {
      seen.push(chunk);
      next();
    };
    await ask(bench.lease.socketPath, { ...asked(), onData });
    expect(seen).toEqual(parts);
  });

  it('are slowed down by a slow reader instead of being held in memory', async () => {
    const MIB = 1024 * 1024;
    let written = 0;
    let stalled = false;
    bench.upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = (): void => {
        while (written < 60) {
          written += 1;
          if (!response.write(`data: ${'z'.repeat(MIB)}\n\n`)) {
            stalled = true;
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      write();
    };
    let paused: IncomingMessage | undefined;
    let received = 0;
    const onData = (chunk: string, message: IncomingMessage): void => {
      received += chunk.length;
      if (!paused) paused = message.pause();
    };
    const answer = ask(bench.lease.socketPath, { ...asked(), onData });
    await waitFor(() => paused !== undefined && stalled, { what: 'the reader stops' });
    expect(written).toBeLessThan(30);
    paused?.resume();
    await answer;
    expect(received).toBe(60 * (MIB + 8));
  });

  it('look cut to the program when the service cut them', async () => {
    bench.upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamedAnswer('msg_1', 'half').slice(0, 3).join(''), () => response.destroy());
    };
    await expect(ask(bench.lease.socketPath, asked())).rejects.toThrow('aborted');
  });

  it('that are errors come without the key, in body and header', async () => {
    bench.upstream.reply = (response) =>
      response
        .writeHead(401, { 'content-type': 'application/json', 'x-seen': `key=${REAL_KEY}` })
        .end(`{"type":"error","error":{"type":"authentication_error","message":"bad key ${REAL_KEY}"}}`);
    const answer = await ask(bench.lease.socketPath, asked());
    expect(answer).toMatchObject({
      status: 401,
      body: expect.stringContaining('bad key «redacted:api-key»'),
      headers: { 'x-should-retry': 'false' },
    });
    expect(JSON.stringify(answer)).not.toContain(REAL_KEY);
    expect(answer.headers).not.toHaveProperty('x-seen');
  });

  it('come without the key where the service quotes it in them, streamed, whole or packed', async () => {
    const quoting = streamedAnswer('msg_1', `you sent ${REAL_KEY}!`).join('');
    const clean = quoting.replaceAll(REAL_KEY, '«redacted:api-key»');
    bench.upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-seen': REAL_KEY });
      const middle = quoting.indexOf(REAL_KEY) + 7;
      response.write(quoting.slice(0, middle), () => response.end(quoting.slice(middle)));
    };
    const streamed = await ask(bench.lease.socketPath, asked());
    expect([streamed.body, streamed.headers['x-seen']]).toEqual([clean, undefined]);
    bench.upstream.reply = (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(quoting));
    expect((await ask(bench.lease.socketPath, asked())).body).toBe(clean);
    bench.upstream.reply = (response) =>
      response
        .writeHead(500, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(quoting));
    expect((await ask(bench.lease.socketPath, asked())).body).toBe(clean);
    expect(JSON.stringify(bench.usage.rows) + bench.logged.join()).not.toContain(REAL_KEY);
  });

  it('that are errors of another kind keep their status, their text and when to ask again', async () => {
    const body = '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}';
    bench.upstream.reply = (response) =>
      response.writeHead(529, { 'content-type': 'application/json', 'retry-after': '7' }).end(body);
    const answer = await ask(bench.lease.socketPath, asked());
    expect([answer.status, answer.body, answer.headers['retry-after'], answer.headers['x-should-retry']]).toEqual([
      529,
      body,
      '7',
      undefined,
    ]);
  });

  it('say that the service cannot be reached, and that a retry may help', async () => {
    const { lease } = await bench.another({ upstream: { url: 'http://127.0.0.1:9' } });
    lease.bind(TURN);
    const answer = await ask(lease.socketPath, { token: lease.token });
    expect([answer.status, errorTypeOf(answer), answer.headers['x-should-retry']]).toEqual([502, 'api_error', 'true']);
    expect(answer.body).toContain('ECONNREFUSED');
  });

  it('that are packed errors and are cut, or never come to their end, hold up neither the program nor the end of the turn', async () => {
    const packed = gzipSync('{"type":"error","error":{"type":"overloaded_error","message":"busy"}}');
    bench.upstream.reply = (response) => {
      response.writeHead(529, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': packed.length,
      });
      response.write(packed.subarray(0, 20), () => response.destroy());
    };
    expect((await ask(bench.lease.socketPath, asked())).status).toBe(529);
    let begun = false;
    bench.upstream.reply = (response) => {
      response.writeHead(529, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.write(packed.subarray(0, 20), () => (begun = true));
    };
    const asking = ask(bench.lease.socketPath, asked()).catch((error: Error) => error);
    await waitFor(() => begun, { what: 'the error begins' });
    expect(await bench.lease.unbind()).toEqual([]);
    await asking;
  });

  it('that would change the protocol are none, and hold up no one', async () => {
    const service = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
      );
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { lease } = await bench.another({
      upstream: { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}` },
    });
    lease.bind(TURN);
    const answer = await ask(lease.socketPath, { token: lease.token });
    expect([answer.status, errorTypeOf(answer)]).toEqual([502, 'api_error']);
    service.close();
  });

  it('come over a fresh connection when the service had closed the kept one', async () => {
    const service = await startForgetfulService();
    const { lease } = await bench.another({ upstream: { url: service.url } });
    lease.bind(TURN);
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 200, body: '{}' });
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 200, body: '{}' });
    expect(service.connections()).toBe(2);
    service.server.close();
  });

  it('come from a service behind a unix socket too', async () => {
    // A lease is itself such a service; its token is the key there.
    const { lease: through } = await bench.another({
      upstream: { socketPath: bench.lease.socketPath },
      apiKey: bench.lease.token,
    });
    through.bind(TURN);
    expect((await ask(through.socketPath, { token: through.token })).body).toContain('hello 🎉');
  });

  it('keep the path of a base URL', async () => {
    const { lease } = await bench.another({ upstream: { url: `${bench.upstream.url}/team/proxy/` } });
    lease.bind(TURN);
    await ask(lease.socketPath, { token: lease.token });
    expect(bench.upstream.requests.map(({ url }) => url)).toEqual(['/team/proxy/v1/messages?beta=true']);
  });
});

describe('checking the service of the model', () => {
  let bench: GatewayBench;
  beforeEach(async () => (bench = await startGatewayBench()));
  afterEach(() => bench.close());

  const check = (options?: { timeoutMs: number }) =>
    checkUpstream(new Upstream({ url: bench.upstream.url }), REAL_KEY, options);

  it('costs nothing and carries the key', async () => {
    bench.upstream.reply = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":8}');
    expect(await check()).toEqual({ ok: true, ms: expect.any(Number) });
    expect(bench.upstream.requests).toMatchObject([
      { url: '/v1/messages/count_tokens', headers: { 'x-api-key': REAL_KEY } },
    ]);
  });

  it.each([
    [401, { ok: false, code: 'MODEL_AUTH_FAILED', detail: expect.stringContaining('refused the key') }],
    [503, { ok: false, code: 'MODEL_UNREACHABLE', detail: expect.stringContaining('status 503') }],
    [404, { ok: true, ms: expect.any(Number) }],
    [429, { ok: true, ms: expect.any(Number) }],
  ])('takes status %d for what it is', async (status, expected) => {
    bench.upstream.reply = (response) => response.writeHead(status).end('{}');
    expect(await check()).toEqual(expected);
  });

  it('gives up on a service that does not answer or is not there', async () => {
    bench.upstream.reply = () => undefined;
    expect(await check({ timeoutMs: 50 })).toMatchObject({
      ok: false,
      code: 'MODEL_UNREACHABLE',
      detail: expect.stringContaining('did not answer'),
    });
    expect(await checkUpstream(new Upstream({ url: 'http://127.0.0.1:9' }), REAL_KEY)).toMatchObject({
      ok: false,
      code: 'MODEL_UNREACHABLE',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

/** Answers the first request of a connection and resets the connection on the second. */
async function startForgetfulService(): Promise<{ url: string; connections: () => number; server: Server }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      if (requests === 1)
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
      else socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections, server };
}
