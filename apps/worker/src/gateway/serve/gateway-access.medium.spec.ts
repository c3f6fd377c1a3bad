import { statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { waitFor } from '@chirality/testing';
import {
  ask,
  errorTypeOf,
  payingFor,
  REAL_KEY,
  startGatewayBench,
  type GatewayBench,
} from '../../../test/gateway-bench';
import { ModelGateway } from './model-gateway';
import { Upstream } from '../upstream/upstream';

const TURN = { turnId: 'turn_1', attempt: 1, authorId: 'user_1' };

describe('who and what the model gateway lets through', () => {
  let bench: GatewayBench;
  beforeEach(async () => (bench = await startGatewayBench()));
  afterEach(() => bench.close());

  it('a bound turn, with the real key in place of the token', async () => {
    const { lease, upstream } = bench;
    lease.bind(TURN);
    expect(
      await ask(lease.socketPath, {
        token: lease.token,
        headers: { cookie: 'a=b', 'anthropic-version': '2023-06-01' },
      }),
    ).toMatchObject({ status: 200 });
    expect(await ask(lease.socketPath, { bearer: lease.token })).toMatchObject({ status: 200 });
    const [sent] = upstream.requests;
    expect(sent).toMatchObject({
      method: 'POST',
      url: '/v1/messages?beta=true',
      body: '{"model":"claude-asked","stream":true}',
    });
    expect(sent?.headers).toMatchObject({ 'x-api-key': REAL_KEY, 'anthropic-version': '2023-06-01' });
    expect(sent?.headers).not.toHaveProperty('cookie');
    expect(JSON.stringify(upstream.requests)).not.toContain(lease.token);
  });

  it('two turns of one process one after the other, each with its own key', async () => {
    const { lease, upstream } = bench;
    lease.bind(TURN);
    await ask(lease.socketPath, { token: lease.token });
    await lease.unbind();
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 401 });
    bench.keys.set('user_2', 'their-own-key');
    lease.bind({ turnId: 'turn_2', attempt: 1, authorId: 'user_2' });
    await ask(lease.socketPath, { token: lease.token });
    expect(upstream.requests.map(({ headers }) => headers['x-api-key'])).toEqual([REAL_KEY, 'their-own-key']);
    expect(() => lease.bind(TURN)).toThrow('bound');
  });

  it('a turn whose key is changed meanwhile, with the new one from its next request on', async () => {
    const { lease, upstream, keys } = bench;
    lease.bind(TURN);
    keys.set('user_1', 'the-first-key');
    await ask(lease.socketPath, { token: lease.token });
    keys.set('user_1', 'the-second-key');
    await ask(lease.socketPath, { token: lease.token });
    expect(upstream.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['the-first-key', 'the-second-key']);
  });

  it('nothing but what the turn may ask for: the tool learns why, at once and for good, and the turn learns what', async () => {
    const refused: string[] = [];
    bench.lease.bind({
      ...TURN,
      allows: { model: 'sonnet', webSearch: false },
      onRequestRefused: ({ what }) => void refused.push(what),
    });
    const send = async (body: object, beta = '') => {
      const answer = await ask(bench.lease.socketPath, {
        token: bench.lease.token,
        headers: { 'anthropic-beta': beta },
        body: JSON.stringify({ model: 'claude-sonnet-5-5', messages: [], ...body }),
      });
      return [answer.status, answer.headers['x-should-retry']];
    };
    const kept = [400, 'false'];
    expect(await send({ mcp_servers: [{ type: 'url', url: 'https://attacker.example/mcp' }] })).toEqual(kept);
    expect(await send({ tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] })).toEqual(kept);
    expect(await send({}, 'mcp-client-2025-11-20')).toEqual(kept);
    expect(await send({ model: 'claude-opus-5-5' })).toEqual(kept);
    expect([refused, bench.upstream.requests]).toEqual([
      ['mcp_servers', 'tool web_fetch_20250910', 'anthropic-beta mcp-client-2025-11-20', 'the model claude-opus-5-5'],
      [],
    ]);
    expect(await send({})).toEqual([200, undefined]);
    expect(bench.upstream.requests.map(({ body }) => body)).toEqual(['{"model":"claude-sonnet-5-5","messages":[]}']);
  });

  it('nothing without a billing account: the answer says why, at once and for good', async () => {
    const { lease } = await bench.another({
      authorizer: { admit: async () => ({ refusal: 'The team has spent what it may.' }) },
    });
    lease.bind(TURN);
    const answer = await ask(lease.socketPath, { token: lease.token });
    expect([answer.status, JSON.parse(answer.body), answer.headers['x-should-retry']]).toEqual([
      403,
      { type: 'error', error: { type: 'permission_error', message: 'The team has spent what it may.' } },
      'false',
    ]);
    expect(bench.upstream.requests).toEqual([]);
  });

  it('nothing while it cannot be found out who pays, but a retry may help', async () => {
    const { lease } = await bench.another({
      authorizer: { admit: async () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })) },
    });
    lease.bind(TURN);
    const answer = await ask(lease.socketPath, { token: lease.token });
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([502, 'true']);
    expect(bench.upstream.requests).toEqual([]);
  });

  describe('not, without asking the service and without inviting a retry,', () => {
    it('anyone while no turn is bound', async () => {
      const answer = await ask(bench.lease.socketPath, { token: bench.lease.token });
      expect([answer.status, errorTypeOf(answer), answer.headers['x-should-retry']]).toEqual([
        401,
        'authentication_error',
        'false',
      ]);
    });

    it.each([
      ['no token', undefined],
      ['a wrong token', 'chirality-turn-wrong'],
      ['the real key', REAL_KEY],
    ])('%s', async (_name, token) => {
      bench.lease.bind(TURN);
      const answer = await ask(bench.lease.socketPath, { token });
      expect([answer.status, errorTypeOf(answer), answer.headers['x-should-retry']]).toEqual([
        401,
        'authentication_error',
        'false',
      ]);
    });

    it("another process's token", async () => {
      const other = await bench.gateway.open({ processId: 'proc_01JABCDEFGHJKMNPQRSTVWXYZ1' });
      other.bind({ turnId: 'turn_2', attempt: 1, authorId: 'user_2' });
      bench.lease.bind(TURN);
      expect(await ask(bench.lease.socketPath, { token: other.token })).toMatchObject({ status: 401 });
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
      bench.lease.bind(TURN);
      const answer = await ask(bench.lease.socketPath, { token: bench.lease.token, method, path, body: '' });
      expect([answer.status, errorTypeOf(answer), answer.headers['x-should-retry']]).toEqual([
        404,
        'not_found_error',
        'false',
      ]);
    });

    it('a request over the limit, announced or not', async () => {
      const { lease } = await bench.another({ limits: { requestBytes: 1_000 } });
      lease.bind(TURN);
      const body = 'x'.repeat(300_000);
      const announced = await ask(lease.socketPath, {
        token: lease.token,
        body,
        headers: { 'content-length': String(body.length) },
      });
      const chunked = await ask(lease.socketPath, {
        token: lease.token,
        body,
        headers: { 'transfer-encoding': 'chunked' },
      });
      const refused = [413, 'request_too_large', 'false'];
      expect(
        [announced, chunked].map((answer) => [answer.status, errorTypeOf(answer), answer.headers['x-should-retry']]),
      ).toEqual([refused, refused]);
    });

    afterEach(() => expect(bench.upstream.requests).toEqual([]));
  });

  it('the query that it knows and no other', async () => {
    bench.lease.bind(TURN);
    await ask(bench.lease.socketPath, {
      token: bench.lease.token,
      path: '/v1/messages/count_tokens?beta=true&admin=1',
    });
    expect(bench.upstream.requests.map(({ url }) => url)).toEqual(['/v1/messages/count_tokens?beta=true']);
  });

  it('only so many requests at once', async () => {
    const { lease } = await bench.another({ limits: { concurrentRequests: 1 } });
    lease.bind(TURN);
    let release: () => void = () => undefined;
    bench.upstream.reply = (response) =>
      (release = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    const first = ask(lease.socketPath, { token: lease.token });
    await waitFor(() => bench.upstream.requests.length === 1, { what: 'the first request arrives' });
    const second = await ask(lease.socketPath, { token: lease.token });
    expect([second.status, errorTypeOf(second), second.headers['x-should-retry']]).toEqual([
      429,
      'rate_limit_error',
      'true',
    ]);
    release();
    expect(await first).toMatchObject({ status: 200 });
  });

  it('only so much in requests that are open together, and more when they are over', async () => {
    const { lease } = await bench.another({ limits: { requestBytes: 1_000, heldBytes: 1_500 } });
    lease.bind(TURN);
    let release: () => void = () => undefined;
    bench.upstream.reply = (response) =>
      (release = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    const asked = { token: lease.token, body: JSON.stringify({ model: 'claude-asked', system: 'x'.repeat(850) }) };
    const first = ask(lease.socketPath, asked);
    await waitFor(() => bench.upstream.requests.length === 1, { what: 'the first request arrives' });
    const second = await ask(lease.socketPath, asked);
    expect([second.status, errorTypeOf(second), second.headers['x-should-retry']]).toEqual([
      429,
      'rate_limit_error',
      'true',
    ]);
    release();
    expect(await first).toMatchObject({ status: 200 });
    const third = ask(lease.socketPath, asked);
    await waitFor(() => bench.upstream.requests.length === 2, { what: 'the third request arrives' });
    release();
    expect(await third).toMatchObject({ status: 200 });
  });

  it('only its own user, and no one once it is closed', async () => {
    const { lease } = bench;
    expect(statSync(lease.socketPath).mode & 0o777).toBe(0o600);
    await lease.close();
    expect(() => statSync(lease.socketPath)).toThrow('ENOENT');
  });

  it('nothing that is no request, and continues after it', async () => {
    const { lease } = bench;
    const socket = createConnection(lease.socketPath);
    socket.on('error', () => undefined);
    socket.write('\0\x01\x02 nonsense\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    lease.bind(TURN);
    expect(await ask(lease.socketPath, { token: lease.token })).toMatchObject({ status: 200 });
  });

  it('no one from a run directory whose sockets could not be opened', async () => {
    const long = new ModelGateway({
      authorizer: payingFor(new Upstream({ url: bench.upstream.url }), () => REAL_KEY),
      runDir: `/tmp/${'d'.repeat(100)}`,
      onUsage: bench.usage,
      log: { warn: () => undefined, error: () => undefined },
    });
    await expect(long.open({ processId: 'proc_1' })).rejects.toThrow('too long');
  });
});
