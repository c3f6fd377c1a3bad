import type { AuditEntry, CreatedToken, Page, Session } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import request from 'supertest';
import { textOf } from './mcp-client';
import { McpServer } from './mcp-fixture';

jest.setTimeout(60_000);

describe('who is let in at /mcp', () => {
  let server: McpServer;

  beforeAll(async () => {
    server = await McpServer.start();
  });
  afterAll(() => server?.stop());

  it('asks for a token and says where one is to be had', async () => {
    const answer = await request(server.api.url)
      .post('/mcp')
      .send({ jsonrpc: '2.0', id: 1, method: 'ping' })
      .expect(401);
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"`,
    );
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
      expect((await request(server.api.url).get(path).expect(200)).body).toMatchObject({
        resource: 'http://127.0.0.1:3000/mcp',
        bearer_methods_supported: ['header'],
      });
  });

  it('refuses pages of other origins, foreign hosts, batches and what is no message', async () => {
    const post = (body: object, headers: Record<string, string> = {}) =>
      request(server.api.url)
        .post('/mcp')
        .set({ authorization: `Bearer ${server.token}`, accept: 'application/json, text/event-stream', ...headers })
        .send(body);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    await post(ping, { origin: 'https://evil.example' }).expect(403);
    await post(ping, { host: 'rebound.example' }).expect(403);
    expect((await post([ping]).expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    await post(ping).expect(400);
    await post(ping, { 'mcp-session-id': 'x'.repeat(32) }).expect(404);
    await post({ hello: true }, { 'mcp-session-id': String(server.mcp.transport.sessionId) }).expect(400);
    const huge = { jsonrpc: '2.0', id: 1, method: 'x', params: { text: 'x'.repeat(27 * 1024 * 1024) } };
    await post(huge).expect(413);
  });

  it('is for each command what a token covers, and another team’s are not there', async () => {
    const session = await server.create();
    const reader = await server.connect(
      server.api.url,
      {},
      await server.tokenOf({ commands: ['events:read', 'session:attach'] }),
    );
    for (const [name, input] of [
      ['create_session', {}],
      ['run_agent_with_shell_access', { message: 'hi' }],
      ['cancel_turn', {}],
      ['set_model', { model: 'haiku' }],
      ['end_session', {}],
    ] as const)
      expect(textOf(await reader.attempt(name, { sessionId: session.id, ...input }))).toMatch(/^TOKEN_SCOPE \(403\)/);
    expect((await reader.call<{ session: Session }>('attach_session', { sessionId: session.id })).session.id).toBe(
      session.id,
    );

    const guest = await server.owner.invite(server.teamId, 'guest@example.org', 'member');
    const theirs = (await guest.post('/v1/teams', { name: 'Theirs' }).expect(201)).body as { id: string };
    const { secret } = (
      await guest.post('/v1/tokens', { name: 'Theirs', teamId: theirs.id, identityClass: 'agent' }).expect(201)
    ).body as CreatedToken;
    const stranger = await server.connect(server.api.url, {}, secret);
    const ids = [session.id, newId('session'), 'x'];
    for (const [name, input] of [
      ['attach_session', {}],
      ['detach_session', {}],
      ['run_agent_with_shell_access', { message: 'hi' }],
      ['wait_for_turn', {}],
      ['cancel_turn', {}],
      ['answer_permission', { permissionId: newId('permission'), decision: 'deny' }],
      ['set_model', { model: 'haiku' }],
      ['enter_plan_mode', {}],
      ['end_session', {}],
    ] as const) {
      const said = await Promise.all(
        ids.map(async (sessionId) => textOf(await stranger.attempt(name, { sessionId, ...input }))),
      );
      expect([name, ...new Set(said)]).toEqual([name, expect.stringMatching(/^SESSION_NOT_FOUND \(404\)/)]);
    }
    expect((await stranger.call<{ sessions: object[] }>('list_sessions')).sessions).toEqual([]);
    await expect(stranger.read(`chirality://v1/session/${session.id}/events`)).rejects.toMatchObject({ code: -32002 });
    const stolen = await request(server.api.url)
      .get('/mcp')
      .set({
        authorization: `Bearer ${secret}`,
        accept: 'text/event-stream',
        'mcp-session-id': String(server.mcp.transport.sessionId),
      });
    expect(stolen.status).toBe(404);
  });

  it('is bound to the token that began it: another of the same person finds nothing', async () => {
    const narrow = await server.tokenOf({ name: 'Narrow', commands: ['events:read'] });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    await server.post(ping).expect(200);
    await server.post(ping, server.mcp, narrow).expect(404);
    await server.resume('any', server.mcp, narrow).expect(404);
    await request(server.api.url).delete('/mcp').set(server.headersOf(server.mcp, narrow)).expect(404);
  });

  it('shows a continued call nothing of a session that its person may no longer read', async () => {
    const session = await server.create();
    const sessionId = session.id;
    await server.owner.sendTurn(sessionId, 'hello');
    await server.api.worker.settle(await server.work(sessionId));
    const member = await server.owner.invite(server.teamId, 'reader@example.org', 'member');
    await server.owner.patch(`/v1/sessions/${sessionId}`, { visibility: 'project' }).expect(200);
    const { secret } = (
      await member.post('/v1/tokens', { name: 'Reads', teamId: server.teamId, identityClass: 'agent' }).expect(201)
    ).body as CreatedToken;
    const reader = await server.connect(server.api.url, {}, secret);
    const wait = {
      jsonrpc: '2.0',
      id: 'waits',
      method: 'tools/call',
      params: { name: 'wait_for_turn', arguments: { sessionId } },
    };
    expect((await server.post(wait, reader, secret).expect(200)).text).toContain('completed');
    expect((await server.resume('waits', reader, secret).expect(200)).text).toContain('completed');
    await server.owner.patch(`/v1/sessions/${sessionId}`, { visibility: 'private' }).expect(200);
    const { text } = await server.resume('waits', reader, secret).expect(200);
    expect(text).toContain('SESSION_NOT_FOUND (404)');
    expect(text).not.toContain('completed');
    expect(text).not.toContain('costUsd');
  });

  it('records in the audit log what a token may not, of tools and of resources', async () => {
    const sender = await server.connect(
      server.api.url,
      {},
      await server.tokenOf({ name: 'Sends', commands: ['turn:send'] }),
    );
    const session = await server.create();
    await sender.attempt('cancel_turn', { sessionId: session.id });
    await expect(sender.read(`chirality://v1/session/${session.id}`)).rejects.toThrow('events:read');
    await expect(sender.client.listResources()).rejects.toThrow('events:read');
    const denied = async () =>
      (
        (await server.owner.get(`/v1/audit?teamId=${server.teamId}&limit=100`).expect(200)).body as Page<AuditEntry>
      ).data
        .filter(({ action, object }) => action === 'act:deny' && object === session.id)
        .map(({ detail }) => (detail as { route?: string }).route);
    await waitFor(async () => (await denied()).length === 2, { what: 'both are recorded' });
    expect((await denied()).sort()).toEqual(['events:read', 'turn:interrupt']);
  });

  it('ends with its token at once, and with its own end', async () => {
    const { secret, token: made } = (
      await server.owner
        .post('/v1/tokens', { name: 'Short', teamId: server.teamId, identityClass: 'agent' })
        .expect(201)
    ).body as CreatedToken;
    const short = await server.connect(server.api.url, {}, secret);
    await server.owner.delete(`/v1/tokens/${made.id}`).expect(204);
    await expect(short.client.listTools()).rejects.toThrow();
    const ending = await server.connect();
    const id = String(ending.transport.sessionId);
    await ending.transport.terminateSession();
    await request(server.other.url)
      .post('/mcp')
      .set({
        authorization: `Bearer ${server.token}`,
        'mcp-session-id': id,
        accept: 'application/json, text/event-stream',
      })
      .send({ jsonrpc: '2.0', id: 1, method: 'ping' })
      .expect(404);
  });
});
