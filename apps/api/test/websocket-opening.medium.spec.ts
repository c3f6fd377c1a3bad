import { request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { PROTOCOL_VERSION } from '@chirality/contracts';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { FrameClient } from './frame-client';

jest.setTimeout(60_000);

let api: ApiHarness;
let owner: ApiClient;

beforeAll(async () => {
  api = await ApiHarness.start();
  owner = await api.client.login();
});
afterAll(() => api?.stop());

describe('a plain WebSocket begins with a handshake', () => {
  it('that names the protocol and is answered with what the server can do', async () => {
    const client = await FrameClient.connect(api.url);
    expect(await client.command('usage:read')).toMatchObject({
      frame: 'error',
      body: { code: 'HANDSHAKE_REQUIRED' },
    });
    const { body } = await client.shake(owner.token, { clientId: 'my-editor' });
    const described = (await owner.get('/v1/handshake').expect(200)).body as object;
    expect(body).toMatchObject({
      ...described,
      clientId: 'my-editor',
      userId: owner.user.id,
      identityClass: 'human',
    });
    expect((body as { features: string[] }).features).toContain('websocket');
    expect(await client.command('usage:read')).toMatchObject({ frame: 'answer', body: { totalTurns: 0 } });
    client.close();
  });

  it.each(['0.9', '2.0', 'one', undefined])('and not with another version: %s', async (protocolVersion) => {
    const client = await FrameClient.connect(api.url);
    expect(await client.shake(owner.token, { protocolVersion })).toMatchObject({
      frame: 'error',
      body: { code: 'HANDSHAKE_VERSION_MISMATCH', protocolVersion: PROTOCOL_VERSION },
    });
    expect((await client.untilClosed()).code).toBe(4406);
  });

  it('of a client that is a little newer, whose unknown members are ignored and named', async () => {
    const client = await FrameClient.connect(api.url);
    const shaken = await client.shake(owner.token, { protocolVersion: '1.99' });
    expect(shaken.frame).toBe('handshake');
    const session = await owner.createSession((await owner.createProject()).id);
    expect(
      await client.command('session:set_model', { session: session.id, model: 'haiku', why: 'cheap' }),
    ).toMatchObject({
      body: { session: { options: { model: 'haiku' } } },
      warnings: [{ code: 'UNKNOWN_FIELD', field: 'why' }],
    });
    // By REST it is refused, and named.
    const refused = await owner.patch(`/v1/sessions/${session.id}`, { options: {}, why: 'cheap' }).expect(400);
    expect(JSON.stringify(refused.body)).toContain('why');
    client.close();
  });

  it('within five seconds', async () => {
    const client = await FrameClient.connect(api.url);
    expect((await client.untilClosed(9_000)).code).toBe(4408);
  });
});

describe('a plain WebSocket is opened', () => {
  it('by a header, a subprotocol or the handshake, and never by its address', async () => {
    const headed = await FrameClient.connect(api.url, { headers: { authorization: `Bearer ${owner.token}` } });
    expect((await headed.shake(null)).frame).toBe('handshake');
    const offered = await FrameClient.connect(api.url, {
      protocols: ['chirality.v1', `chirality.bearer.${owner.token}`],
    });
    expect(offered.socket.protocol).toBe('chirality.v1');
    expect((await offered.shake(null)).frame).toBe('handshake');
    for (const client of [headed, offered]) client.close();
    await expect(FrameClient.connect(api.url, { query: `?token=${owner.token}` })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('for no one without a token that is good', async () => {
    await expect(
      FrameClient.connect(api.url, { headers: { authorization: 'Bearer chi_noise' } }),
    ).rejects.toMatchObject({ code: 'TOKEN_REVOKED', status: 401 });
    for (const token of [null, 'noise', api.tokens(Buffer.alloc(32, 9)).sign(owner.user.id, 'x').accessToken]) {
      const client = await FrameClient.connect(api.url);
      expect(await client.shake(token)).toMatchObject({ frame: 'error', body: { code: 'UNAUTHENTICATED' } });
      expect((await client.untilClosed()).code).toBe(4401);
    }
  });

  it.each(['http://evil.example', 'null'])('for no page of %s, whose cookies count for nothing', async (origin) => {
    await expect(
      FrameClient.connect(api.url, { origin, headers: { cookie: owner.cookie ?? '' } }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const own = await FrameClient.connect(api.url, { origin: api.url, headers: { cookie: owner.cookie ?? '' } });
    expect(await own.shake(null)).toMatchObject({ frame: 'error', body: { code: 'UNAUTHENTICATED' } });
  });

  it('at its address only: other upgrades are refused, and plain requests are answered', async () => {
    const asked = request(`${api.url}/v1/elsewhere`, {
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    }).end();
    const [response] = (await once(asked, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(404);
    expect((await owner.get('/v1/ws').expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    const pipelined = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
    pipelined.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n');
    pipelined.write('GET /nope HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    await once(pipelined.resume(), 'close');
    await owner.get('/health/live').expect(200);
  });
});
