import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createConnection, createServer as createRawServer, type AddressInfo } from 'node:net';
import { waitFor } from '@chirality/testing';
import { event, replyStreaming, startModelUpstream, streamedAnswer, type ModelUpstream } from '../../test/model-upstream';
import { ModelGateway, type GatewayLease, type GatewayLimits, type UsageRow } from './index';

const KEY = 'sk-ant-the-real-key';

class MemoryUsage {
  readonly begun: UsageRow[] = [];
  readonly finished = new Map<string, UsageRow>();
  failures = 0;

  async begin(row: UsageRow): Promise<string> {
    if (this.failures-- > 0) throw new Error('the database is away');
    this.begun.push(row);
    return row.id;
  }

  async finish(usageId: string, row: UsageRow): Promise<void> {
    if (this.failures-- > 0) throw new Error('the database is away');
    this.finished.set(usageId, { ...row });
  }
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Sends one request over the lease's socket and collects the answer; `onData` sees each piece as it arrives. */
function ask(
  socketPath: string,
  options: { token?: string; bearer?: string; path?: string; method?: string; body?: string; headers?: Record<string, string>; onData?: (chunk: string, message: IncomingMessage) => void } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const credentials = { ...(options.token ? { 'x-api-key': options.token } : {}), ...(options.bearer ? { authorization: `Bearer ${options.bearer}` } : {}) };
    const request = httpRequest({ socketPath, method: options.method ?? 'POST', path: options.path ?? '/v1/messages?beta=true', headers: { 'content-type': 'application/json', ...credentials, ...options.headers }, agent: false });
    request.once('error', reject);
    request.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        options.onData?.(chunk, response);
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.end(options.body ?? '{"model":"claude-asked","stream":true}');
  });
}

const codeOf = (answer: Answer): unknown => (JSON.parse(answer.body) as { error: { type: string } }).error.type;

describe('the model gateway', () => {
  const runDir = mkdtempSync('/tmp/chi-gw-');
  let upstream: ModelUpstream;
  let usage: MemoryUsage;
  let gateway: ModelGateway;
  let lease: GatewayLease;
  const warnings: string[] = [];
  const log = { warn: (fields: object, message: string) => void warnings.push(`${message} ${JSON.stringify(fields)}`), error: (fields: object, message: string) => void warnings.push(`${message} ${JSON.stringify(fields)}`) };

  async function open(limits: Partial<GatewayLimits> = {}): Promise<void> {
    gateway = new ModelGateway({ upstream: { url: upstream.url, apiKey: KEY }, runDir, onUsage: usage, log, limits });
    lease = await gateway.open({ processId: 'proc_01JABCDEFGHJKMNPQRSTVWXYZ0' });
  }

  beforeEach(async () => {
    warnings.length = 0;
    usage = new MemoryUsage();
    upstream = await startModelUpstream(replyStreaming(streamedAnswer('msg_1', 'hello 🎉')));
    await open();
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
  });
  afterAll(() => rmSync(runDir, { recursive: true, force: true }));

  it('passes a bound turn on with the real key in place of the token, and the answer back byte for byte', async () => {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    const answer = await ask(lease.socketPath, { token: lease.token, headers: { cookie: 'a=b', 'anthropic-version': '2023-06-01' } });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: streamedAnswer('msg_1', 'hello 🎉').join('') });
    const [sent] = upstream.requests;
    expect(sent).toMatchObject({ method: 'POST', url: '/v1/messages?beta=true', body: '{"model":"claude-asked","stream":true}' });
    expect(sent?.headers).toMatchObject({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01' });
    expect(JSON.stringify(sent)).not.toContain(lease.token);
    expect(sent?.headers).not.toHaveProperty('cookie');
  });

  it('takes the token as a bearer too', async () => {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    expect(await ask(lease.socketPath, { bearer: lease.token })).toMatchObject({ status: 200 });
  });

  it('stores one row a message with the answering model and every kind of token', async () => {
    lease.bind({ turnId: 'turn_1', attempt: 2, authorId: 'user_1' });
    await ask(lease.socketPath, { token: lease.token });
    expect(await lease.unbind()).toEqual([]);
    const counts = { apiMessageId: 'msg_1', model: 'claude-answering', inputTokens: 10, cacheReadTokens: 500, cacheWrite5mTokens: 70, cacheWrite1hTokens: 30, webSearches: 0 };
    const stored = { id: expect.stringMatching(/^usage_/), binding: { turnId: 'turn_1', attempt: 2, authorId: 'user_1' }, at: expect.any(Date) };
    expect(usage.begun).toEqual([{ ...counts, ...stored, outputTokens: 1, complete: false }]);
    expect([...usage.finished.values()]).toEqual([{ ...counts, ...stored, outputTokens: 12, complete: true }]);
  });

  it('lets the stream through while the database is away, and the end of the turn wait for the rows', async () => {
    usage.failures = 3;
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    const answer = await ask(lease.socketPath, { token: lease.token });
    expect(answer.body).toContain('message_stop');
    expect(usage.begun).toEqual([]);
    expect(await lease.unbind()).toEqual([]);
    expect([...usage.finished.values()]).toMatchObject([{ complete: true, outputTokens: 12 }]);
    expect(warnings.filter((line) => line.startsWith('gateway.usage_write_failed'))).toHaveLength(3);
  });

  it('names the rows that could not be stored in time', async () => {
    await gateway.close();
    await open({ drainMs: 150 });
    usage.failures = Number.POSITIVE_INFINITY;
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    await ask(lease.socketPath, { token: lease.token });
    expect(await lease.unbind()).toMatchObject([{ apiMessageId: 'msg_1', outputTokens: 12, binding: { turnId: 'turn_1' } }]);
    expect(warnings.some((line) => line.startsWith('gateway.usage_not_stored'))).toBe(true);
    usage.failures = 0;
    lease.bind({ turnId: 'turn_2', attempt: 1, authorId: 'user_1' });
    await ask(lease.socketPath, { token: lease.token });
    expect(await lease.unbind()).toEqual([]);
    expect(usage.begun).toMatchObject([{ binding: { turnId: 'turn_2' } }]);
  });

  it('counts two turns of one process each for itself', async () => {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    await ask(lease.socketPath, { token: lease.token });
    await lease.unbind();
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 401 });
    upstream.reply = replyStreaming(streamedAnswer('msg_2', 'again', 99));
    lease.bind({ turnId: 'turn_2', attempt: 1, authorId: 'user_2', apiKey: 'their-own-key' });
    await ask(lease.socketPath, { token: lease.token });
    await lease.unbind();
    expect(upstream.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, 'their-own-key']);
    expect([...usage.finished.values()].map((row) => [row.binding, row.apiMessageId, row.outputTokens])).toEqual([
      [{ turnId: 'turn_1', attempt: 1, authorId: 'user_1' }, 'msg_1', 12],
      [{ turnId: 'turn_2', attempt: 1, authorId: 'user_2' }, 'msg_2', 99],
    ]);
  });

  it('refuses two turns at once', () => {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    expect(() => lease.bind({ turnId: 'turn_2', attempt: 1, authorId: 'user_1' })).toThrow('bound');
  });

  describe('refuses, without asking the service and without inviting a retry,', () => {
    it('while no turn is bound', async () => {
      const answer = await ask(lease.socketPath, { token: lease.token });
      expect([answer.status, codeOf(answer), answer.headers['x-should-retry']]).toEqual([401, 'authentication_error', 'false']);
    });

    it.each([['no token', undefined], ['a wrong token', 'chirality-turn-wrong'], ['the real key', KEY]])('%s', async (_name, token) => {
      lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
      const answer = await ask(lease.socketPath, { token });
      expect([answer.status, codeOf(answer), answer.headers['x-should-retry']]).toEqual([401, 'authentication_error', 'false']);
    });

    it("another process's token", async () => {
      const other = await gateway.open({ processId: 'proc_01JABCDEFGHJKMNPQRSTVWXYZ1' });
      other.bind({ turnId: 'turn_2', attempt: 1, authorId: 'user_2' });
      lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
      expect(await ask(lease.socketPath, { token: other.token })).toMatchObject({ status: 401 });
    });

    it.each([
      ['GET', '/v1/messages'],
      ['POST', '/v1/messages/batches'],
      ['POST', '/v1/files'],
      ['GET', '/v1/models'],
      ['POST', '/v1/messages/../organizations'],
      ['POST', '//v1/messages'],
      ['POST', 'http://elsewhere.example/v1/messages'],
    ])('%s %s', async (method, path) => {
      lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
      const answer = await ask(lease.socketPath, { token: lease.token, method, path, body: '' });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found_error']);
    });

    it('a request over the limit, announced or not', async () => {
      await gateway.close();
      await open({ requestBytes: 1_000 });
      lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
      const body = 'x'.repeat(300_000);
      const announced = await ask(lease.socketPath, { token: lease.token, body, headers: { 'content-length': String(body.length) } });
      const chunked = await ask(lease.socketPath, { token: lease.token, body, headers: { 'transfer-encoding': 'chunked' } });
      expect([announced, chunked].map((answer) => [answer.status, codeOf(answer), answer.headers['x-should-retry']])).toEqual([
        [413, 'request_too_large', 'false'],
        [413, 'request_too_large', 'false'],
      ]);
    });

    afterEach(() => expect(upstream.requests).toEqual([]));
  });

  it('keeps the query that it knows and drops the rest', async () => {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    await ask(lease.socketPath, { token: lease.token, path: '/v1/messages/count_tokens?beta=true&admin=1' });
    expect(upstream.requests.map(({ url }) => url)).toEqual(['/v1/messages/count_tokens?beta=true']);
  });

  it('holds back requests beyond the limit of open ones', async () => {
    await gateway.close();
    await open({ concurrentRequests: 1 });
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    let release: () => void = () => undefined;
    upstream.reply = (response) => void (release = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    const first = ask(lease.socketPath, { token: lease.token });
    await waitFor(() => upstream.requests.length === 1, { what: 'the first request arrives' });
    const second = await ask(lease.socketPath, { token: lease.token });
    expect([second.status, codeOf(second), second.headers['x-should-retry']]).toEqual([429, 'rate_limit_error', 'true']);
    release();
    expect(await first).toMatchObject({ status: 200 });
  });

  it('hands on each piece of a stream before the next one is written', async () => {
    const parts = streamedAnswer('msg_1', 'step');
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    let next: () => void = () => undefined;
    upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let index = 0;
      next = () => void (index < parts.length ? response.write(parts[index++] ?? '') : response.end());
      next();
    };
    const seen: string[] = [];
    await ask(lease.socketPath, {
      token: lease.token,
      onData: (chunk) => {
        seen.push(chunk);
        next();
      },
    });
    expect(seen).toEqual(parts);
  });

  it('lets a slow reader slow the service down instead of holding the answer in memory', async () => {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    let written = 0;
    let stalled = false;
    upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const filler = `data: ${'z'.repeat(1024 * 1024)}\n\n`;
      const write = (): void => {
        while (written < 60) {
          written += 1;
          if (!response.write(filler)) {
            stalled = true;
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      write();
    };
    let paused: IncomingMessage | null = null;
    let received = 0;
    const answer = ask(lease.socketPath, {
      token: lease.token,
      onData: (chunk, message) => {
        received += chunk.length;
        if (!paused) {
          paused = message;
          message.pause();
        }
      },
    });
    await waitFor(() => paused !== null && stalled, { what: 'the reader stops' });
    expect(written).toBeLessThan(30);
    (paused as unknown as IncomingMessage).resume();
    await answer;
    expect(received).toBe(60 * (1024 * 1024 + 8));
  });

  it('stores what was told of a stream that the service cuts, and lets the program see the cut', async () => {
    const parts = streamedAnswer('msg_1', 'half');
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(parts.slice(0, 3).join(''), () => response.destroy());
    };
    await expect(ask(lease.socketPath, { token: lease.token })).rejects.toThrow('aborted');
    await lease.unbind();
    expect([...usage.finished.values()]).toMatchObject([{ apiMessageId: 'msg_1', complete: false, inputTokens: 10, outputTokens: 1 }]);
  });

  it('stops the service when the program goes away', async () => {
    let upstreamClosed = false;
    upstream.reply = (response) => {
      response.on('close', () => (upstreamClosed = true));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamedAnswer('msg_1', 'x')[0] ?? '');
    };
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    await expect(ask(lease.socketPath, { token: lease.token, onData: (_chunk, message) => void message.destroy(new Error('gone')) })).rejects.toThrow('gone');
    await waitFor(() => upstreamClosed, { what: 'the request upstream is cut' });
    await lease.unbind();
    expect([...usage.finished.values()]).toMatchObject([{ complete: false }]);
  });

  it('cuts open requests when the turn ends, and counts them to it', async () => {
    let upstreamClosed = false;
    upstream.reply = (response) => {
      response.on('close', () => (upstreamClosed = true));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamedAnswer('msg_1', 'x')[0] ?? '');
    };
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    let begun: () => void = () => undefined;
    const streaming = new Promise<void>((resolve) => (begun = resolve));
    const answer = ask(lease.socketPath, { token: lease.token, onData: () => begun() });
    answer.catch(() => undefined);
    await streaming;
    expect(await lease.unbind()).toEqual([]);
    await expect(answer).rejects.toThrow('aborted');
    await waitFor(() => upstreamClosed, { what: 'the request upstream is cut' });
    expect([...usage.finished.values()]).toMatchObject([{ complete: false, binding: { turnId: 'turn_1' } }]);
  });

  it('reads usage of replies that are not streamed', async () => {
    const message = { id: 'msg_9', type: 'message', model: 'claude-answering', content: [], usage: { input_tokens: 7, output_tokens: 5, server_tool_use: { web_search_requests: 3 } } };
    upstream.reply = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    expect((await ask(lease.socketPath, { token: lease.token })).body).toBe(JSON.stringify(message));
    await lease.unbind();
    expect([...usage.finished.values()]).toMatchObject([{ apiMessageId: 'msg_9', inputTokens: 7, outputTokens: 5, webSearches: 3, complete: true }]);
  });

  it('counts nothing for a count of tokens or a refused request', async () => {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    upstream.reply = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":12}');
    await ask(lease.socketPath, { token: lease.token, path: '/v1/messages/count_tokens' });
    upstream.reply = (response) => response.writeHead(529, { 'content-type': 'application/json' }).end('{"type":"error","error":{"type":"overloaded_error","message":"busy"}}');
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 529, body: expect.stringContaining('overloaded_error') });
    expect(await lease.unbind()).toEqual([]);
    expect(usage.begun).toEqual([]);
  });

  it('takes the key out of an error that quotes it, in body and header', async () => {
    upstream.reply = (response) => response.writeHead(401, { 'content-type': 'application/json', 'x-seen': `key=${KEY}` }).end(`{"type":"error","error":{"type":"authentication_error","message":"bad key ${KEY}"}}`);
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    const answer = await ask(lease.socketPath, { token: lease.token });
    expect(answer).toMatchObject({ status: 401, body: expect.stringContaining('bad key «redacted:api-key»'), headers: { 'x-should-retry': 'false' } });
    expect(JSON.stringify(answer)).not.toContain(KEY);
    expect(answer.headers).not.toHaveProperty('x-seen');
  });

  it('says so when the service cannot be reached, and that a retry may help', async () => {
    await upstream.close();
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    const answer = await ask(lease.socketPath, { token: lease.token });
    expect([answer.status, codeOf(answer), answer.headers['x-should-retry']]).toEqual([502, 'api_error', 'true']);
    expect(answer.body).toContain('ECONNREFUSED');
    upstream = await startModelUpstream(() => undefined);
  });

  it('replaces a kept connection that the service closed in between', async () => {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    const raw = createRawService();
    await gateway.close();
    gateway = new ModelGateway({ upstream: { url: await raw.url, apiKey: KEY }, runDir, onUsage: usage, log });
    lease = await gateway.open({ processId: 'proc_raw' });
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 200, body: '{}' });
    // The service resets the connection only when the next request arrives on it.
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 200, body: '{}' });
    expect(raw.connections()).toBe(2);
    raw.close();
  });

  it('gives its socket to its own user only and takes it away at the end', async () => {
    expect(statSync(lease.socketPath).mode & 0o777).toBe(0o600);
    await lease.close();
    expect(() => statSync(lease.socketPath)).toThrow('ENOENT');
  });

  it('survives bytes that are no request', async () => {
    const socket = createConnection(lease.socketPath);
    socket.on('error', () => undefined);
    socket.write('\0\x01\x02 nonsense\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 200 });
  });

  it('refuses a run directory whose sockets nobody could open', async () => {
    const long = new ModelGateway({ upstream: { url: upstream.url, apiKey: KEY }, runDir: `/tmp/${'d'.repeat(100)}`, onUsage: usage, log });
    await expect(long.open({ processId: 'proc_1' })).rejects.toThrow('too long');
  });

  it('reads an answer that comes compressed although it was asked for plain', async () => {
    const { gzipSync } = await import('node:zlib');
    upstream.reply = (response) => response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(gzipSync(streamedAnswer('msg_z', 'x').join('')));
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } });
    await lease.unbind();
    expect([...usage.finished.values()]).toMatchObject([{ apiMessageId: 'msg_z', complete: true }]);
  });

  describe('checking the service', () => {
    it('costs nothing and carries the key', async () => {
      upstream.reply = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":8}');
      expect(await gateway.checkUpstream()).toEqual({ ok: true, ms: expect.any(Number) });
      expect(upstream.requests).toMatchObject([{ url: '/v1/messages/count_tokens', headers: { 'x-api-key': KEY } }]);
    });

    it.each([
      [401, { ok: false, code: 'MODEL_AUTH_FAILED', detail: expect.stringContaining('ANTHROPIC_API_KEY') }],
      [503, { ok: false, code: 'MODEL_UNREACHABLE', detail: expect.stringContaining('status 503') }],
      [404, { ok: true, ms: expect.any(Number) }],
      [429, { ok: true, ms: expect.any(Number) }],
    ])('takes status %d for what it is', async (status, expected) => {
      upstream.reply = (response) => response.writeHead(status).end(event('error', {}));
      expect(await gateway.checkUpstream()).toEqual(expected);
    });

    it('gives up on a service that does not answer or is not there', async () => {
      upstream.reply = () => undefined;
      expect(await gateway.checkUpstream({ timeoutMs: 50 })).toMatchObject({ ok: false, code: 'MODEL_UNREACHABLE', detail: expect.stringContaining('did not answer') });
      await upstream.close();
      expect(await gateway.checkUpstream()).toMatchObject({ ok: false, code: 'MODEL_UNREACHABLE', detail: expect.stringContaining('ECONNREFUSED') });
      upstream = await startModelUpstream(() => undefined);
    });
  });

  it('speaks to a service behind a unix socket', async () => {
    const served = await gateway.open({ processId: 'proc_inner' });
    served.bind({ turnId: 'turn_0', attempt: 1, authorId: 'user_0' });
    // A lease is itself a service on a unix socket; its token is the key there.
    const outer = new ModelGateway({ upstream: { socketPath: served.socketPath, apiKey: served.token }, runDir, onUsage: new MemoryUsage(), log });
    const through = await outer.open({ processId: 'proc_outer' });
    through.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    expect((await ask(through.socketPath, { token: through.token })).body).toContain('hello 🎉');
    await outer.close();
  });
});

/** A service that answers the first request of a connection and resets the connection on the second. */
function createRawService() {
  let connections = 0;
  const server = createRawServer((socket) => {
    connections += 1;
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
      else socket.resetAndDestroy();
    });
  });
  const url = new Promise<string>((resolve) => server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)));
  return { url, connections: () => connections, close: () => server.close() };
}
