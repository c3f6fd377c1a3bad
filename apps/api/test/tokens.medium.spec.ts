import type { ApiToken, AuditEntry, CreatedToken, Envelope, Page, Session } from '@chirality/contracts';
import { insertPermission } from '@chirality/database';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { EventStreamReader } from './event-stream-reader';
import { LiveClient } from './live-client';

jest.setTimeout(120_000);

const HOUR_MS = 3_600_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('tokens', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let teamId: string;
  let session: Session;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    session = await owner.createSession((await owner.createProject()).id, { visibility: 'project' });
  });
  afterAll(() => api.stop());

  const wanted = (claims: object = {}) => ({ name: 'CI', teamId, identityClass: 'agent', ...claims });
  const create = async (claims: object = {}, who = owner): Promise<CreatedToken> =>
    (await who.post('/v1/tokens', wanted(claims)).expect(201)).body as CreatedToken;
  const programWith = (secret: string, client = api.client): ApiClient => Object.assign(client, { token: secret });
  const codeOf = ({ body }: { body: object }) => (body as { code?: string }).code;

  it('are shown once, listed without their value, and stored as a hash', async () => {
    const { token, secret } = await create();
    expect(secret).toMatch(/^chi_[0-9A-Za-z]{46}$/);
    expect(Date.parse(token.expiresAt) - Date.now()).toBeGreaterThan(23.9 * HOUR_MS);
    expect(Date.parse(token.expiresAt) - Date.now()).toBeLessThanOrEqual(24 * HOUR_MS);
    const list = await owner.get('/v1/tokens').expect(200);
    expect(list.text).not.toContain(secret);
    expect((list.body as Page<ApiToken>).data).toContainEqual({ ...token, lastUsedAt: null });
    const { rows } = await api.worker.database.pool.query('SELECT * FROM api_token');
    expect(JSON.stringify(rows)).not.toContain(secret.slice(4));
    await programWith(secret).get('/v1/me').expect(200);
    await waitFor(
      async () =>
        ((await owner.get('/v1/tokens')).body as Page<ApiToken>).data.find(({ id }) => id === token.id)?.lastUsedAt !==
        null,
      { what: 'its use is noted' },
    );
    expect(api.logLines.join('')).not.toContain(secret);
  });

  it('say in the standard headers how many requests are left, and are refused beyond', async () => {
    const { token, secret } = await create();
    const program = programWith(secret);
    const { headers } = await program.get('/v1/me').expect(200);
    expect(headers).toMatchObject({ 'ratelimit-limit': '600', 'ratelimit-remaining': '599' });
    expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
    const answers = await Promise.all(Array.from({ length: 620 }, () => program.get('/v1/me')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(21);
    expect(refused[0]?.headers).toMatchObject({ 'ratelimit-remaining': '0' });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    await programWith((await create()).secret)
      .get('/v1/me')
      .expect(200);
    await owner.delete(`/v1/tokens/${token.id}`).expect(204);
  });

  it.each([
    ['a year and a day', { expiresAt: inMs(366 * 24 * HOUR_MS) }, 400],
    ['an end in the past', { expiresAt: inMs(-1_000) }, 400],
    ['an end before its beginning', { notBefore: inMs(2 * HOUR_MS), expiresAt: inMs(HOUR_MS) }, 400],
    ['an unknown command', { commands: ['team:manage'] }, 400],
    ['a critical claim that is not known', { networks: ['10.0.0.0/8'], criticalClaims: ['networks'] }, 403],
    ['a project that is not there', { projects: [newId('project')] }, 404],
  ])('are not made with %s', async (_name, claims, status) => {
    await owner.post('/v1/tokens', wanted(claims)).expect(status);
  });

  it('are not good before their time, nor with a claim that a later release made critical', async () => {
    const early = await create({ notBefore: inMs(HOUR_MS) });
    expect(codeOf(await programWith(early.secret).get('/v1/me').expect(401))).toBe('TOKEN_EXPIRED');
    const { token, secret } = await create({ criticalClaims: ['projects', 'expiresAt'] });
    await programWith(secret).get('/v1/me').expect(200);
    const later = { ver: 1, criticalClaims: ['networks'] };
    await api.worker.database.pool.query('UPDATE api_token SET claims = $2 WHERE id = $1', [token.id, later]);
    expect(codeOf(await programWith(secret).get('/v1/me').expect(403))).toBe('CRITICAL_CLAIM_UNKNOWN');
  });

  it('are refused in one way when they are no tokens, cut, or another value of the right form', async () => {
    const { secret } = await create();
    for (const value of ['chi_', secret.slice(0, -1), `${secret}x`, `chi_${'0'.repeat(46)}`])
      expect([value, codeOf(await programWith(value).get('/v1/me').expect(401))]).toEqual([value, 'TOKEN_REVOKED']);
  });

  it('end at once when they are revoked: requests, streams and sockets on every node', async () => {
    const other = await api.startNode();
    const { token, secret } = await create();
    const child = await create({}, programWith((await create({ mayMint: true })).secret));
    const streams = [api.url, other.url].map(
      (url) => new EventStreamReader(`${url}/v1/sessions/${session.id}/events`, secret),
    );
    const sockets = await Promise.all(
      [api.client, other].map(async (client) => LiveClient.open(programWith(secret, client).socket())),
    );
    for (const socket of sockets) expect(await socket.attach(session.id)).toMatchObject({ lastEventId: 0 });
    await waitFor(() => streams.every(({ status }) => status === 200), { what: 'the streams are open' });
    const revokedAt = performance.now();
    await owner.delete(`/v1/tokens/${token.id}`).expect(204);
    await waitFor(() => streams.every(({ ended }) => ended) && sockets.every((one) => one.disconnected !== null), {
      what: 'all connections have ended',
    });
    expect(performance.now() - revokedAt).toBeLessThan(1_000);
    expect(streams.map(({ events }) => events.at(-1)?.event)).toEqual(['token-expired', 'token-expired']);
    for (const client of [api.client, other])
      expect(codeOf(await programWith(secret, client).get('/v1/me').expect(401))).toBe('TOKEN_REVOKED');
    await programWith(child.secret).get('/v1/me').expect(200);
    await owner.delete(`/v1/tokens/${child.token.parentId}`).expect(204);
    expect(codeOf(await programWith(child.secret).get('/v1/me').expect(401))).toBe('TOKEN_REVOKED');
  });

  it('announce their end to open connections, which then have a minute in which nothing new is taken', async () => {
    const { token, secret } = await create({ expiresAt: inMs(3_000) });
    const stream = new EventStreamReader(`${api.url}/v1/sessions/${session.id}/events`, secret);
    const socket = programWith(secret).socket();
    const announced: unknown[] = [];
    socket.on('token:expiring', (message) => announced.push(message));
    const live = await LiveClient.open(socket);
    await live.attach(session.id);
    await waitFor(() => announced.length > 0 && stream.events.length > 0, { what: 'the end is announced' });
    expect(announced).toEqual([{ expiresAt: token.expiresAt }]);
    expect(stream.events[0]).toMatchObject({
      event: 'token-expiring',
      data: JSON.stringify({ expiresAt: token.expiresAt }),
    });
    await waitFor(async () => codeOf(await programWith(secret).get('/v1/me')) === 'TOKEN_EXPIRED', {
      what: 'the token has expired',
    });
    expect(await live.attach(session.id)).toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect([live.disconnected, stream.ended]).toEqual([null, false]);
    const next = await create();
    expect(await live.ask('auth:refresh', { token: next.secret })).toEqual({ expiresAt: next.token.expiresAt });
    expect(await live.attach(session.id)).toHaveProperty('lastEventId');
    live.close();
    stream.close();
  });

  it('do on sockets what they may, and no more', async () => {
    const live = await LiveClient.open(programWith((await create({ commands: ['turn:send'] })).secret).socket());
    expect(await live.attach(session.id)).toMatchObject({ code: 'TOKEN_SCOPE' });
    const wider = await create();
    expect(await live.ask('auth:refresh', { token: wider.secret })).toMatchObject({ code: 'TOKEN_SCOPE' });
    live.close();
  });

  it('make only tokens that may do no more, where they may make any', async () => {
    const maker = await create({ mayMint: true, commands: ['events:read', 'turn:send'], expiresAt: inMs(HOUR_MS) });
    const program = programWith(maker.secret);
    const made = await create({ commands: ['events:read'] }, program);
    expect(made.token).toMatchObject({ parentId: maker.token.id, claims: { commands: ['events:read'] } });
    expect(Date.parse(made.token.expiresAt)).toBeLessThanOrEqual(Date.parse(maker.token.expiresAt));
    for (const claims of [
      { identityClass: 'human' },
      { commands: ['session:create'] },
      { expiresAt: inMs(2 * HOUR_MS) },
    ])
      expect(codeOf(await program.post('/v1/tokens', wanted(claims)).expect(403))).toBe('TOKEN_SCOPE');
    expect(codeOf(await programWith(made.secret).post('/v1/tokens', wanted()).expect(403))).toBe('TOKEN_SCOPE');
    await program.delete(`/v1/tokens/${made.token.id}`).expect(403);
    await program.delete(`/v1/tokens/${maker.token.id}`).expect(204);
  });

  it('end with their person’s place in the team, and are not there again when they return', async () => {
    const member = await owner.invite(teamId, 'leaver@example.org', 'member');
    const { secret } = await create({}, member);
    await programWith(secret).get(`/v1/sessions/${session.id}`).expect(200);
    const viewer = await owner.invite(teamId, 'looker@example.org', 'viewer');
    await viewer.post('/v1/tokens', wanted()).expect(403);
    await owner.delete(`/v1/teams/${teamId}/members/${member.user.id}`).expect(204);
    expect(codeOf(await programWith(secret).get('/v1/me').expect(401))).toBe('TOKEN_REVOKED');
  });

  it('are seen and revoked by who manages the team, and by no other member', async () => {
    const [one, two] = [
      await owner.invite(teamId, 'one@example.org', 'member'),
      await owner.invite(teamId, 'two@example.org', 'member'),
    ];
    const { token } = await create({ name: 'Theirs' }, one);
    expect((await two.get('/v1/tokens').expect(200)).text).not.toContain(token.id);
    await two.delete(`/v1/tokens/${token.id}`).expect(404);
    expect((await owner.get('/v1/tokens').expect(200)).text).toContain(token.id);
    await owner.delete(`/v1/tokens/${token.id}`).expect(204);
    await owner.delete(`/v1/tokens/${token.id}`).expect(404);
    const { data } = (await owner.get(`/v1/audit?teamId=${teamId}&action=token:revoke`).expect(200))
      .body as Page<AuditEntry>;
    expect(data[0]).toMatchObject({ object: token.id, detail: { name: 'Theirs' } });
  });

  it('of agents answer no permission request: it is refused, recorded and shown once', async () => {
    const asked = await owner.createSession(session.projectId, { visibility: 'project' });
    const agent = programWith((await create({ name: 'Nightly' })).secret);
    const { turn } = (await agent.post(`/v1/sessions/${asked.id}/turns`, { message: 'go' }).expect(202)).body as {
      turn: { id: string; author: { identityClass: string } };
    };
    expect(turn.author.identityClass).toBe('agent');
    const claimed = await api.worker.claimOf(asked.id);
    await api.worker.become(claimed, 'spawned');
    const id = newId('permission');
    const row = { kind: 'tool' as const, toolUseId: 'use_1', tool: 'Bash', input: { command: 'ls' }, reason: 'r' };
    await insertPermission(api.worker.database.pool, {
      id,
      sessionId: asked.id,
      turnId: turn.id,
      pattern: null,
      ...row,
    });
    const path = `/v1/sessions/${asked.id}/permissions/${id}`;
    const another = programWith((await create({ commands: ['events:read'] })).secret);
    for (const who of [agent, another, agent])
      expect(codeOf(await who.post(path, { decision: 'allow_once' }).expect(403))).toBe('AGENT_MAY_NOT_APPROVE');
    const live = await LiveClient.open(agent.socket());
    expect(
      await live.ask('permission:answer', { session: asked.id, permissionId: id, decision: 'deny' }),
    ).toMatchObject({ code: 'AGENT_MAY_NOT_APPROVE' });
    live.close();
    const { data } = (await owner.get(`/v1/audit?teamId=${teamId}&action=permission:agent-denied`).expect(200))
      .body as Page<AuditEntry>;
    expect(data.filter(({ object }) => object === id)).toHaveLength(4);
    const events = ((await owner.get(`/v1/sessions/${asked.id}/events`).expect(200)).body as Page<Envelope>).data;
    const shown = events.filter(({ payload }) => (payload as { code?: string }).code === 'AGENT_MAY_NOT_APPROVE');
    expect(shown).toMatchObject([{ originator: { identityClass: 'agent' }, turn: turn.id }]);
    await owner.post(path, { decision: 'allow_once' }).expect(200);
    await api.worker.settle(claimed);
  });

  it('of agents approve nothing in advance, and sessions say who began them', async () => {
    const agent = programWith((await create({ name: 'Nightly' })).secret);
    for (const options of [{ permissionMode: 'acceptEdits' }, { autoApproveTools: ['Bash'] }, { strict: false }])
      for (const [path, body] of [
        ['/v1/sessions', { projectId: session.projectId, options }],
        [`/v1/sessions/${session.id}/turns`, { message: 'x', options }],
      ] as const)
        expect(codeOf(await agent.post(path, body).expect(403))).toBe('AGENT_MAY_NOT_APPROVE');
    const sends = programWith((await create({ identityClass: 'human', commands: ['turn:send'] })).secret);
    for (const options of [{ autoApproveTools: ['Bash'] }, { model: 'opus' }, { permissionMode: 'default' }])
      expect(codeOf(await sends.post(`/v1/sessions/${session.id}/turns`, { message: 'x', options }).expect(403))).toBe(
        'TOKEN_SCOPE',
      );
    const begun = (await agent.post('/v1/sessions', { projectId: session.projectId }).expect(201)).body as Session;
    expect(begun.startedBy).toEqual({ identityClass: 'agent', tokenName: 'Nightly' });
    expect(session.startedBy).toEqual({ identityClass: 'human', tokenName: null });
  });
});
