import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_PAYLOADS, problemSchema, PROTOCOL_VERSION, type Handshake } from '@chirality/contracts';
import request from 'supertest';
import { openApiText } from '../src/generate';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('speaking HTTP', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let web: string;

  beforeAll(async () => {
    web = mkdtempSync(join(tmpdir(), 'chirality-web-'));
    mkdirSync(join(web, 'assets'));
    writeFileSync(join(web, 'index.html'), '<!doctype html><title>the page</title>');
    writeFileSync(join(web, 'assets', 'index-Ab12Cd34.js'), 'the script');
    writeFileSync(join(web, 'favicon.svg'), '<svg/>');
    writeFileSync(join(web, '.secret'), 'not served');
    api = await ApiHarness.start({ env: { CHIRALITY_WEB_DIR: web } });
    owner = await api.client.login();
  });
  afterAll(async () => {
    await api.stop();
    rmSync(web, { recursive: true });
  });

  it('each refusal is a problem with a code, a sentence and the request’s id, which the log has too', async () => {
    const response = await owner.get('/v1/sessions/sess_x').expect(404);
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const problem = problemSchema.parse(response.body);
    expect(problem).toEqual({
      type: 'urn:chirality:problem:SESSION_NOT_FOUND',
      title: 'Session not found',
      status: 404,
      code: 'SESSION_NOT_FOUND',
      detail: 'There is no such session, or you may not see it. Check the id.',
      requestId: response.headers['x-request-id'],
    });
    const line = api.logLines
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find(({ requestId }) => requestId === problem.requestId);
    expect(line).toMatchObject({ msg: 'request.answered', status: 404, method: 'GET', userId: owner.user.id });
  });

  it.each<[string, string, Record<string, string>]>([
    ['broken JSON', '{"name":', { 'content-type': 'application/json' }],
    ['no JSON at all', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['JSON that is no object', '"x"', { 'content-type': 'application/json' }],
    ['an array', '[]', { 'content-type': 'application/json' }],
    ['a compressed body', 'x', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ['another character set', '{}', { 'content-type': 'application/json; charset=klingon' }],
    [
      'deep nesting',
      `{"name":"x","source":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      { 'content-type': 'application/json' },
    ],
    ['a NUL in a name', JSON.stringify({ name: 'a\0b' }), { 'content-type': 'application/json' }],
    ['a member too many', JSON.stringify({ name: 'a', admin: true }), { 'content-type': 'application/json' }],
    ['a polluting member', '{"name":"a","__proto__":{"admin":true}}', { 'content-type': 'application/json' }],
    ['nothing', '', {}],
  ])('refuses %s as VALIDATION_FAILED', async (_what, body, headers) => {
    const response = await owner.post('/v1/projects').set(headers).send(body).expect(400);
    expect(problemSchema.parse(response.body).code).toBe('VALIDATION_FAILED');
  });

  it('refuses bodies that are too large for what they are', async () => {
    const response = await owner
      .post('/v1/projects')
      .send({ name: 'x'.repeat(300_000) })
      .expect(413);
    expect(problemSchema.parse(response.body).code).toBe('MESSAGE_TOO_LARGE');
  });

  it.each(['/v1/nothing', '/v1/sessions/%E0%A4%A', '/v1/%00', '/v1', '/health', '/socket.io', '/v1/openapi.jsonx'])(
    'has no route %s',
    async (path) => {
      const response = await owner.get(path);
      expect([400, 404]).toContain(response.status);
      expect(response.headers['content-type']).not.toContain('html');
    },
  );

  it.each(['evil.example', 'localhost.evil.example', ''])('does not answer to the host %j', async (host) => {
    const response = await request(api.url).get('/v1/me').set('host', host);
    expect([400, 403]).toContain(response.status);
  });

  it('sends strict headers with everything', async () => {
    for (const path of ['/', '/v1/me', '/health/live', '/docs', '/assets/index-Ab12Cd34.js']) {
      const { headers } = await request(api.url).get(path);
      expect(headers['content-security-policy']).toContain("default-src 'self'");
      expect(headers['content-security-policy']).toContain("script-src 'self';");
      expect(headers['content-security-policy']).toContain("img-src 'self' data: blob:;");
      expect(headers['content-security-policy']).toContain(
        `connect-src 'self' ws://127.0.0.1:${api.server.port} wss://127.0.0.1:${api.server.port};`,
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-request-id': expect.stringMatching(/^req_/) as string,
      });
      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('serves the dashboard: its files, and the page for every address that is not the api’s', async () => {
    const script = await request(api.url).get('/assets/index-Ab12Cd34.js').expect(200);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await request(api.url).get('/favicon.svg').expect(200)).headers['cache-control']).toBe('no-cache');
    for (const path of ['/', '/sessions/sess_01J', '/reset-password', '/v1x']) {
      const page = await request(api.url).get(path).set('accept', 'text/html').expect(200);
      expect([page.text, page.headers['cache-control']]).toEqual([
        '<!doctype html><title>the page</title>',
        'no-cache',
      ]);
    }
    for (const path of ['/assets/missing-Ab12Cd34.js', '/.secret/x', '/%2e%2e/%2e%2e/etc/passwd']) {
      const response = await request(api.url).get(path);
      expect(response.text).not.toContain('root:');
      if (path.startsWith('/assets')) expect(response.status).toBe(404);
    }
    expect((await request(api.url).get('/.secret').set('accept', 'text/html')).text).not.toContain('not served');
  });

  it('describes itself, and shows it without any other server', async () => {
    const { body } = await request(api.url).get('/v1/openapi.json').expect(200);
    expect(body).toEqual(JSON.parse(openApiText()));
    const page = await request(api.url).get('/docs').expect(200);
    expect(page.text).not.toMatch(/https?:\/\//);
    for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'open.js'])
      await request(api.url).get(`/docs/${file}`).expect(200);
  });

  it('shakes hands without a token, and names what it really has', async () => {
    const { body } = (await api.client.get('/v1/handshake').expect(200)) as { body: Handshake };
    expect(body).toMatchObject({ protocolVersion: PROTOCOL_VERSION, eventKinds: Object.keys(EVENT_PAYLOADS) });
    expect(body.serverVersion).toBe((JSON.parse(openApiText()) as { info: { version: string } }).info.version);
    expect(body.commands).toEqual(expect.arrayContaining(['session:create', 'turn:send', 'permission:answer']));
    expect(body.features).toEqual(
      expect.arrayContaining(['sessions', 'pull-requests', 'server-sent-events', 'socket.io']),
    );
    expect(body.limits).toMatchObject({ messageBytes: 4 * 1024 * 1024, eventsPage: 500 });
    const harnesses = (await owner.get('/v1/harnesses').expect(200)).body as { data: unknown[] };
    expect(body.harnesses).toEqual(harnesses.data);
  });

  it('has metrics for this machine, and for no one who comes through a proxy unsigned', async () => {
    const { text } = await request(api.url).get('/metrics').expect(200);
    expect(text).toContain('chirality_http_request_seconds_bucket');
    await request(api.url).get('/metrics').set('x-forwarded-for', '10.0.0.1').expect(401);
    await owner.get('/metrics').set('x-forwarded-for', '10.0.0.1').expect(200);
  });

  it('writes no secret into its log', async () => {
    const { body } = await owner
      .post(`/v1/teams/${(await owner.team()).id}/invitations`, { email: 'logged@example.org', role: 'member' })
      .expect(201);
    const { token } = body as { token: string };
    await request(api.url).post(`/v1/invitations/${token}/accept`).send({ password: 'a secret password' }).expect(200);
    await request(api.url).post(`/v1/invitations/${token}/acceptx`).expect(404);
    const log = api.logLines.join('');
    const secrets = {
      token,
      password: 'a secret password',
      owner: 'a password of the owner',
      access: owner.token ?? '',
      refresh: owner.cookie?.split('=')[1] ?? '',
    };
    expect(
      Object.entries(secrets)
        .filter(([, secret]) => log.includes(secret))
        .map(([name]) => name),
    ).toEqual([]);
  });
});
