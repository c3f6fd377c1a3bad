import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PresenceRepository } from '@chirality/database';
import { waitFor } from '@chirality/testing';
import { io } from 'socket.io-client';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { EventStreamReader } from './event-stream-reader';
import { LiveClient } from './live-client';

const TOKEN_MS = 4_000;
jest.setTimeout(30_000);

describe('access to what is live', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let teamId: string;
  let projectId: string;
  let people = 0;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    projectId = (await owner.createProject()).id;
  }, 60_000);
  afterAll(() => api.stop());

  const invite = (role: 'admin' | 'member' | 'viewer' = 'member') =>
    owner.invite(teamId, `person${people++}@example.org`, role);
  const shared = () => owner.createSession(projectId, { visibility: 'project' });
  const sse = (session: string, token: string | null) =>
    new EventStreamReader(`${api.url}/v1/sessions/${session}/events`, token);

  it.each([
    ['no token', () => ''],
    ['noise', () => 'x.y.z'],
    ['another key’s token', () => api.tokens(Buffer.alloc(32, 9)).sign(owner.user.id, 'tok_1').accessToken],
    ['an expired token', () => api.tokens().sign(owner.user.id, 'tok_1', Date.now() - 3_600_000).accessToken],
    ['a token of no sign-in', () => api.tokens().sign(owner.user.id, 'tok_1').accessToken],
  ])('is refused with %s: no connection, no stream', async (_what, token) => {
    const session = await shared();
    await expect(LiveClient.open(owner.socket({ token: token() }))).rejects.toMatchObject({
      data: { code: 'UNAUTHENTICATED', status: 401 },
    });
    const stream = sse(session.id, token());
    await waitFor(() => stream.ended, { what: 'the stream is refused' });
    expect([stream.status, stream.events.filter(({ event }) => event !== 'message')]).toEqual([401, []]);
  });

  it.each(['http://evil.example', 'null', 'http://localhost.evil.example', 'http://127.0.0.1:1'])(
    'is refused to a page of %s before anything is upgraded',
    async (origin) => {
      const socket = owner.socket({ origin });
      const refused = new Promise((resolve) => socket.on('connect_error', resolve));
      socket.connect();
      await refused;
      expect(socket.connected).toBe(false);
      const response = await owner.get('/v1/me').set('origin', origin).expect(403);
      expect(response.body).toMatchObject({ code: 'FORBIDDEN' });
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('is given to pages of this server, and only over WebSocket', async () => {
    const own = await LiveClient.open(owner.socket({ origin: api.url }));
    own.close();
    const polling = io(api.url, {
      transports: ['polling'],
      forceNew: true,
      reconnection: false,
      auth: { token: owner.token },
    });
    await new Promise((resolve) => polling.on('connect_error', resolve));
    expect(polling.connected).toBe(false);
    polling.close();
  });

  it('ends connections that show no token', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    };
    const silent = get(`${api.url}/socket.io/?EIO=4&transport=websocket`, { headers });
    const [, socket] = (await once(silent, 'upgrade')) as [unknown, Socket];
    const openedMs = performance.now();
    const saidGoodbye = new Promise((resolve) =>
      socket.on('data', (frame: Buffer) => ((frame[0] ?? 0) & 0x0f) === 8 && resolve(frame)),
    );
    await saidGoodbye;
    expect(performance.now() - openedMs).toBeLessThan(6_500);
    socket.destroy();
  });

  it('takes no message that is not of the protocol, and answers each of the others', async () => {
    const session = await shared();
    const live = await owner.live();
    for (const message of [
      undefined,
      null,
      1,
      'x',
      [],
      {},
      { session: 1 },
      { session: session.id, after: -1 },
      { session: session.id, after: 'x' },
      { session: 'x'.repeat(2_000_000) },
    ]) {
      expect(await live.ask('session:attach', message)).toMatchObject({
        code: 'VALIDATION_FAILED',
        requestId: expect.stringMatching(/^req_/) as string,
      });
    }
    expect(await live.ask('session:typing', { session: session.id })).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    live.socket.emit('join', `events:${session.id}`);
    live.socket.emit('session:attach');
    live.socket.emit('session:attach', { session: session.id }, 'not a function');
    expect(await live.attach(session.id)).toEqual({ lastEventId: 0 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => live.ask('session:typing', { session: session.id })),
    );
    expect(
      answers.filter((answer) => 'code' in answer && (answer.code as string) === 'RATE_LIMITED').length,
    ).toBeGreaterThan(70);
    expect(live.disconnected).toBeNull();
    live.close();
  });

  it('answers another’s session as it answers an unknown one', async () => {
    const person = await invite();
    const hidden = await owner.createSession(projectId, { visibility: 'private' });
    const live = await person.live();
    const without = (answer: object) => ({ ...answer, requestId: '' });
    const unknown = without(await live.attach('sess_01J00000000000000000000000'));
    expect(unknown).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    for (const id of [hidden.id, 'x', '', 'sess_', '\0', `${hidden.id} `])
      expect(without(await live.attach(id))).toEqual(unknown);
    live.close();
  });

  it('ends for a member who is removed, and for everyone once a session is private', async () => {
    const [removed, member] = await Promise.all([invite(), invite()]);
    const session = await shared();
    const [one, two] = await Promise.all([removed.live(), member.live()]);
    for (const live of [one, two]) await live.attach(session.id);
    const stream = sse(session.id, removed.token);
    const other = sse(session.id, member.token);
    await waitFor(() => stream.status === 200 && other.status === 200, { what: 'the streams are open' });
    await owner.delete(`/v1/teams/${teamId}/members/${removed.user.id}`).expect(204);
    await waitFor(() => one.closed.length === 1 && stream.ended, {
      what: 'the removed member is cut off',
      timeoutMs: 5_000,
    });
    expect(one.closed).toMatchObject([{ session: session.id, problem: { code: 'SESSION_NOT_FOUND' } }]);
    expect(stream.events.map(({ event }) => event)).toEqual(['session-closed']);
    await owner.patch(`/v1/sessions/${session.id}`, { title: 'After' }).expect(200);
    await two.until(session.id, 1);
    expect(one.seen(session.id)).toEqual([]);
    expect(await one.attach(session.id)).toMatchObject({ code: 'SESSION_NOT_FOUND' });

    await owner.patch(`/v1/sessions/${session.id}`, { visibility: 'private' }).expect(200);
    await waitFor(() => two.closed.length === 1 && other.ended, { what: 'members are cut off', timeoutMs: 5_000 });
    one.close();
    two.close();
  });

  it('counts no one as present who may no longer answer, and counts them once they may again', async () => {
    const [member, other] = await Promise.all([invite(), invite()]);
    const session = await shared();
    const windows = await Promise.all([member.live(), member.live(), other.live()]);
    for (const live of windows) await live.attach(session.id);
    const presence = new PresenceRepository(api.worker.database);
    const answerers = (count: number) =>
      waitFor(async () => (await presence.countAnswerers(session.id)) === count, {
        what: `${count} people who may answer`,
        timeoutMs: 5_000,
      });
    await answerers(2);
    await owner.patch(`/v1/teams/${teamId}/members/${member.user.id}`, { role: 'viewer' }).expect(200);
    await answerers(1);
    await owner.patch(`/v1/sessions/${session.id}`, { visibility: 'project_read' }).expect(200);
    await answerers(0);
    await owner.patch(`/v1/sessions/${session.id}`, { visibility: 'project' }).expect(200);
    await answerers(1);
    for (const live of windows) live.close();
  });

  it('ends with the sign-in that it was opened by', async () => {
    const person = await invite();
    const session = await shared();
    const live = await person.live();
    await live.attach(session.id);
    const stream = sse(session.id, person.token);
    await waitFor(() => stream.status === 200, { what: 'the stream is open' });
    await person.post('/v1/auth/logout').expect(204);
    await waitFor(() => live.disconnected !== null && stream.ended, {
      what: 'connection and stream end',
      timeoutMs: 5_000,
    });
    expect(live.disconnected).toBe('io server disconnect');
  });
});

describe('a token that expires', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  beforeAll(async () => {
    api = await ApiHarness.start({
      env: { NODE_ENV: 'test', CHIRALITY_TEST_LIMITS: JSON.stringify({ accessTokenMs: TOKEN_MS }) },
    });
    owner = await api.client.login();
  }, 60_000);
  afterAll(() => api.stop());

  it('ends stream and connection, and neither for who refreshed in time', async () => {
    const session = await owner.createSession((await owner.createProject()).id);
    const [fading, renewed] = await Promise.all([owner.live(), owner.live()]);
    const expiring: string[] = [];
    renewed.socket.on('token:expiring', ({ expiresAt }: { expiresAt: string }) => expiring.push(expiresAt));
    for (const live of [fading, renewed]) await live.attach(session.id);
    const stream = new EventStreamReader(`${api.url}/v1/sessions/${session.id}/events`, owner.token);
    const next = await owner
      .post('/v1/auth/refresh')
      .set('cookie', owner.cookie ?? '')
      .expect(200);
    const { accessToken } = next.body as { accessToken: string };
    const later = api.tokens().sign(owner.user.id, api.tokens().verify(accessToken).familyId, Date.now());
    expect(await renewed.ask('auth:refresh', { token: 'noise' })).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await renewed.ask('auth:refresh', { token: later.accessToken })).toEqual({
      expiresAt: new Date(later.expiresAtMs).toISOString(),
    });
    await waitFor(() => fading.disconnected !== null && stream.ended, {
      what: 'what was not renewed ends',
      timeoutMs: TOKEN_MS + 5_000,
    });
    expect(stream.events.map(({ event }) => event)).toEqual(['token-expiring', 'token-expired']);
    expect(renewed.disconnected).toBeNull();
    await owner.get('/v1/me').expect(401);
    owner.token = accessToken;
    renewed.close();
  }, 30_000);

  it('is not taken over by another person’s', async () => {
    await owner.login();
    const person = await owner.invite((await owner.team()).id, 'other@example.org', 'member');
    const live = await owner.live();
    expect(await live.ask('auth:refresh', { token: person.token })).toMatchObject({ code: 'UNAUTHENTICATED' });
    live.close();
  });
});

describe('connections that have shown no token yet', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start({ worker: false, env: { HOST: '::1', CHIRALITY_TRUST_PROXY: 'loopback' } });
  }, 60_000);
  afterAll(() => api.stop());

  const MOST = 100;
  const opened: Socket[] = [];
  afterEach(() => opened.splice(0).forEach((socket) => socket.destroy()));

  /** The status that an upgrade is answered with, from that peer of the proxy in front, or from the machine itself. */
  async function upgrade(peer?: string): Promise<number | undefined> {
    const handshake = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    };
    const request = get({
      host: '::1',
      port: api.server.port,
      path: '/socket.io/?EIO=4&transport=websocket',
      headers: { ...handshake, ...(peer ? { 'x-forwarded-for': peer } : {}) },
    });
    const [response, socket] = (await Promise.race([once(request, 'upgrade'), once(request, 'response')])) as [
      IncomingMessage,
      Socket?,
    ];
    if (socket) opened.push(socket);
    return response.statusCode;
  }

  it.each([
    ['a machine of IPv6', undefined],
    ['a machine behind the proxy', '203.0.113.7'],
    ['a machine of IPv6 behind the proxy', '2001:db8::7'],
  ])('are only so many of %s, whatever others have', async (_what, peer) => {
    for (let count = 0; count < MOST; count++) expect(await upgrade(peer)).toBe(101);
    expect(await upgrade(peer)).not.toBe(101);
    expect(await upgrade('198.51.100.9')).toBe(101);
  });
});
