import type { CreatedToken, Invitation, ModelKey, Page } from '@chirality/contracts';
import { GitHostKeyRepository } from '@chirality/database';
import { newId } from '@chirality/domain';
import { controllersOf } from '../src/core/http/controllers-of';
import { routeTable, type Route } from '../src/core/http/route-table';
import { AppModule } from '../src/server/app.module';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { ROUTE_BODIES, ROUTE_QUERIES } from './route-inputs';

jest.setTimeout(120_000);

const KEY_VALUE = `sk-ant-api03-${'x'.repeat(80)}`;
const HOST_KEY = 'git.example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFxR3fluXU9UW/xMkwiODDsQUSn/ycs1SqaPaJ+WLUTl';
const UNKNOWN = '01J0000000000000000000000Z';
const ROUTES = routeTable(controllersOf(AppModule));
/** Routes without an id answer with what the person may see; the tests below look into those answers. */
const WITH_IDS = ROUTES.filter(({ path, notes }) => path.includes(':') && !notes.public);

describe('every route and everyone who may not', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let viewer: ApiClient;
  let removed: ApiClient;
  let outsider: ApiClient;
  let theirs: Record<string, string>;
  let own: Record<string, string>;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    const teamId = (await owner.team()).id;
    viewer = await owner.invite(teamId, 'viewer@example.org', 'viewer');
    removed = await owner.invite(teamId, 'removed@example.org', 'admin');
    theirs = await furnish(owner, teamId);
    await owner.delete(`/v1/teams/${teamId}/members/${removed.user.id}`).expect(204);
    const founder = await owner.invite(teamId, 'founder@example.org', 'member');
    const elsewhere = (await founder.post('/v1/teams', { name: 'Elsewhere' }).expect(201)).body as { id: string };
    outsider = await founder.invite(elsewhere.id, 'outsider@example.org', 'admin');
    await founder.delete(`/v1/teams/${elsewhere.id}/members/${founder.user.id}`).expect(409);
    own = await furnish(outsider, elsewhere.id);
  });
  afterAll(() => api.stop());

  async function furnish(who: ApiClient, teamId: string): Promise<Record<string, string>> {
    const project = await who.createProject('Hidden', teamId);
    const session = await who.createSession(project.id, { visibility: 'project', title: 'Hidden' });
    const turn = await who.sendTurn(session.id, 'hidden words');
    const queued = (
      await who
        .post(`/v1/sessions/${session.id}/turns`, { message: 'hidden words that wait', whenBusy: 'queue' })
        .expect(202)
    ).body as { item: { id: string } };
    const attachment = (
      await who.post(`/v1/sessions/${session.id}/attachments?name=hidden.json`, { hidden: 'words' }).expect(201)
    ).body as { id: string };
    const key = `guide-${teamId}`;
    const persona = (await who.post('/v1/personas', { teamId, key, text: 'Hidden words.' }).expect(201)).body as {
      id: string;
    };
    const { body } = await who
      .post(`/v1/teams/${teamId}/invitations`, { email: `kept-${teamId}@example.org`.toLowerCase(), role: 'member' })
      .expect(201);
    const { invitation } = body as { invitation: Invitation };
    const modelKey = (await who.post('/v1/keys', { scope: 'team', teamId, value: KEY_VALUE }).expect(201))
      .body as ModelKey;
    const gitAccount = (
      await who
        .post('/v1/git-accounts', {
          scope: 'team',
          teamId,
          host: 'git.example.org',
          kind: 'token',
          secret: 'hidden-0123',
        })
        .expect(201)
    ).body as { id: string };
    const { token } = (await who.post('/v1/tokens', { name: 'Hidden', teamId, identityClass: 'agent' }).expect(201))
      .body as CreatedToken;
    const serviceAccount = (await who.post('/v1/service-accounts', { teamId, name: 'Hidden' }).expect(201)).body as {
      id: string;
    };
    const schedule = (
      await who.post('/v1/schedules', { projectId: project.id, message: 'Hidden words', cron: '0 9 * * *' }).expect(201)
    ).body as { id: string };
    const hostKey = await new GitHostKeyRepository(api.worker.database).pin(teamId, 'git.example.org', HOST_KEY);
    const budget = (
      await who.post('/v1/budgets', { scope: 'team', teamId, period: 'month', limitUsd: '100' }).expect(201)
    ).body as { id: string };
    const deleted = await who.createSession(project.id, { visibility: 'project', title: 'Hidden too' });
    await who.post(`/v1/sessions/${deleted.id}/delete`).expect(200);
    const devices = ((await who.get('/v1/me/devices').expect(200)).body as Page<{ id: string }>).data;
    return {
      deviceId: devices[0]?.id ?? '',
      deletedId: deleted.id,
      teamId,
      userId: who.user.id,
      invitationId: invitation.id,
      keyId: modelKey.id,
      budgetId: budget.id,
      accountId: gitAccount.id,
      tokenId: token.id,
      serviceAccountId: serviceAccount.id,
      scheduleId: schedule.id,
      hostKeyId: hostKey.id,
      projectId: project.id,
      sessionId: session.id,
      turnId: turn.id,
      itemId: queued.item.id,
      attachmentId: attachment.id,
      commentId: newId('comment'),
      toolUseId: 'tool_1',
      permissionId: newId('permission'),
      ruleId: newId('rule'),
      personaId: persona.id,
      key,
    };
  }

  const fill = (path: string, ids: Record<string, string>) =>
    path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'missing'));
  const call = (who: ApiClient, route: Route, ids: Record<string, string>) =>
    who.send(
      route.method,
      fill(route.path, ids) + (ROUTE_QUERIES[`${route.method} ${route.path}`] ?? ''),
      ROUTE_BODIES[`${route.method} ${route.path}`],
    );
  const seen = ({ status, body, headers }: { status: number; body: object; headers: Record<string, string> }) => ({
    status,
    body: { ...body, requestId: '' },
    type: headers['content-type'],
    retry: headers['retry-after'],
  });
  const unknownIds = (ids: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, name === 'toolUseId' ? id : `${id.split('_')[0]}_${UNKNOWN}`]),
    );

  it('is 401 without a token, on all but the open ones', async () => {
    const open = ROUTES.filter(({ notes }) => notes.public).map(({ method, path }) => `${method} ${path}`);
    expect(open).toEqual([
      'get /.well-known/oauth-protected-resource',
      'get /.well-known/oauth-protected-resource/mcp',
      'get /health/live',
      'get /health/ready',
      'get /metrics',
      'post /v1/auth/device',
      'post /v1/auth/device/token',
      'post /v1/auth/login',
      'post /v1/auth/logout',
      'get /v1/auth/options',
      'post /v1/auth/password/forgot',
      'post /v1/auth/password/reset',
      'post /v1/auth/refresh',
      'post /v1/git-webhooks/:hookId',
      'get /v1/handshake',
      'post /v1/invitations/:token/accept',
      'post /v1/invitations/preview',
      'get /v1/openapi.json',
      'post /v1/triggers/:scheduleId',
      // A browser sends its token in the first frame.
      'get /v1/ws',
    ]);
    for (const route of ROUTES.filter(({ notes }) => !notes.public)) {
      const response = await call(api.client, route, theirs);
      expect([route.method, route.path, response.status, (response.body as { code: string }).code]).toEqual([
        route.method,
        route.path,
        401,
        'UNAUTHENTICATED',
      ]);
    }
  });

  it.each(WITH_IDS.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s tells an outsider and a removed member nothing',
    async (_name, route) => {
      for (const who of [outsider, removed]) {
        const unknown = seen(await call(who, route, unknownIds(theirs)));
        expect(unknown.status).toBe(404);
        expect(seen(await call(who, route, theirs))).toEqual(unknown);
        for (const malformed of ['x', '\0', '..', `${theirs.sessionId}%`, 'é'.repeat(300)]) {
          const ids = Object.fromEntries(
            Object.entries(theirs).map(([name, id]) => [name, name === 'toolUseId' ? id : malformed]),
          );
          expect(seen(await call(who, route, ids))).toEqual(unknown);
        }
      }
    },
  );

  it.each(
    WITH_IDS.filter(({ path }) => path.split(':').length > 2).map(
      (route) => [`${route.method} ${route.path}`, route] as const,
    ),
  )('%s does not reach theirs through one of one’s own', async (_name, route) => {
    const first = /:(\w+)/.exec(route.path)?.[1] ?? '';
    const mixed = { ...theirs, [first]: own[first] ?? '' };
    const unknown = { ...unknownIds(theirs), [first]: own[first] ?? '' };
    const response = seen(await call(outsider, route, mixed));
    expect(response.status).toBe(404);
    expect(response).toEqual(seen(await call(outsider, route, unknown)));
  });

  it.each(
    WITH_IDS.filter(({ method }) => method !== 'get').map((route) => [`${route.method} ${route.path}`, route] as const),
  )('%s changes nothing for a viewer', async (_name, route) => {
    const response = await call(viewer, route, theirs);
    expect([403, 404]).toContain(response.status);
    expect(response.body).toMatchObject({ code: expect.stringMatching(/FORBIDDEN|NOT_FOUND/) as string });
  });

  it.each(WITH_IDS.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s has no answer but its refusals for what is no id, to who may do it',
    async (_name, route) => {
      const last = [...route.path.matchAll(/:(\w+)/g)].at(-1)?.[1] ?? '';
      for (const malformed of ['x', '\0', '\0'.repeat(9), '../..', '%', '😀', 'é'.repeat(1_000)]) {
        const { status, body } = await call(owner, route, { ...theirs, [last]: malformed });
        expect([malformed.slice(0, 9), status, (body as { code: string }).code]).toEqual([
          malformed.slice(0, 9),
          expect.any(Number),
          expect.stringMatching(/NOT_FOUND$|VALIDATION_FAILED/),
        ]);
      }
    },
  );

  it('takes as a cursor only what a list answered', async () => {
    for (const text of [
      '2026 x',
      '12 x',
      '+012345-01-01T00:00:00.000Z x',
      '0000-01-01T00:00:00.000Z x',
      '2026-02-31T00:00:00.000Z x',
      'x',
    ]) {
      const cursor = Buffer.from(text).toString('base64url');
      for (const path of [
        '/v1/sessions',
        '/v1/search?q=x',
        '/v1/projects',
        `/v1/audit?teamId=${theirs.teamId}`,
        `/v1/sessions/${theirs.sessionId}/turns`,
      ]) {
        const { status } = await owner.get(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
        expect([path, text, status]).toEqual([path, text, 200]);
      }
    }
  });

  it('lists hold nothing of other teams', async () => {
    for (const path of [
      '/v1/teams',
      '/v1/projects',
      '/v1/sessions',
      '/v1/sessions?search=Hidden',
      '/v1/search?q=hidden&status=any',
      `/v1/search?q=hidden&projectId=${theirs.projectId}`,
      `/v1/sessions?projectId=${theirs.projectId}`,
      '/v1/deletions',
      `/v1/deletions?projectId=${theirs.projectId}`,
      '/v1/audit',
      '/v1/personas',
      '/v1/usage',
      '/v1/usage/series',
      '/v1/queue',
      '/v1/me',
      '/v1/workers',
      '/v1/instance',
      '/v1/audit/export?format=json',
      '/v1/me/devices',
      '/v1/harnesses',
      '/v1/keys',
      '/v1/budgets',
      '/v1/git-accounts',
      '/v1/git-host-keys',
      '/v1/tokens',
      '/v1/service-accounts',
    ]) {
      const { text } = await outsider.get(path).expect(200);
      for (const id of [
        theirs.teamId,
        theirs.projectId,
        theirs.sessionId,
        theirs.turnId,
        theirs.userId,
        theirs.invitationId,
        theirs.deviceId,
        theirs.keyId,
        theirs.personaId,
        theirs.budgetId,
        theirs.accountId,
        theirs.hostKeyId,
        theirs.tokenId,
      ])
        expect(text).not.toContain(id);
    }
    for (const path of [
      '/v1/audit',
      '/v1/audit/export',
      '/v1/personas',
      '/v1/usage',
      '/v1/usage/series',
      '/v1/projects',
      '/v1/keys',
      '/v1/budgets',
      '/v1/tokens',
    ]) {
      expect((await outsider.get(`${path}?teamId=${theirs.teamId}`).expect(404)).body).toMatchObject({
        code: 'NOT_FOUND',
      });
      expect((await outsider.get(`${path}?teamId=team_${UNKNOWN}`).expect(404)).body).toMatchObject({
        code: 'NOT_FOUND',
      });
    }
    expect((await removed.get('/v1/sessions').expect(200)).body).toEqual({ data: [], nextCursor: null });
    await outsider.post('/v1/projects', { name: 'x', teamId: theirs.teamId }).expect(404);
    await outsider.post('/v1/sessions', { projectId: theirs.projectId }).expect(404);
    await outsider
      .post('/v1/budgets', { scope: 'team', teamId: theirs.teamId, period: 'day', limitUsd: '1' })
      .expect(404);
    for (const [scope, subjectId] of [
      ['project', theirs.projectId],
      ['session', theirs.sessionId],
      ['user', theirs.userId],
      ['team', theirs.teamId],
    ])
      await outsider.post('/v1/budgets', { scope, subjectId, period: 'day', limitUsd: '1' }).expect(404);
    await outsider.post('/v1/keys', { scope: 'user', teamId: theirs.teamId, value: KEY_VALUE }).expect(404);
  });

  it('personal rights are not a viewer’s', async () => {
    for (const path of [
      '/v1/audit',
      '/v1/audit/export',
      '/v1/usage',
      '/v1/usage/series',
      `/v1/sessions/${theirs.sessionId}/turns/${theirs.turnId}/raw`,
      `/v1/teams/${theirs.teamId}/invitations`,
      `/v1/keys?teamId=${theirs.teamId}`,
      `/v1/projects/${theirs.projectId}/egress/log`,
      `/v1/projects/${theirs.projectId}/variables`,
      `/v1/projects/${theirs.projectId}/setup-script`,
      '/v1/budgets',
    ]) {
      expect([path, (await viewer.get(path)).status]).toEqual([path, 403]);
    }
    expect((await viewer.put('/v1/prices', { prices: [PRICE] })).status).toBe(403);
    expect((await outsider.put('/v1/prices', { prices: [PRICE] })).status).toBe(403);
    await owner.put('/v1/prices', { prices: [PRICE] }).expect(200);
  });

  it('left everything as it was', async () => {
    const audit = (
      (await owner.get(`/v1/audit?teamId=${theirs.teamId}&limit=200`).expect(200)).body as Page<{
        userId: string;
        action: string;
      }>
    ).data;
    const strangers = [outsider.user.id, viewer.user.id];
    expect(
      audit.filter(
        ({ userId, action }) =>
          strangers.includes(userId) && !/^(invitation:accept|act:deny|user:sign-in)$/.test(action),
      ),
    ).toEqual([]);
    expect((await owner.get(`/v1/sessions/${theirs.sessionId}`).expect(200)).body).toMatchObject({
      title: 'Hidden',
      status: 'running',
      activeTurnId: theirs.turnId,
    });
  });
});

const PRICE = {
  model: 'made-up',
  effectiveFrom: '2026-01-01T00:00:00.000Z',
  input: '1',
  output: '2',
  cacheRead: '0.1',
  cacheWrite5m: '1.25',
  cacheWrite1h: '2',
  webSearch: '0.01',
};
