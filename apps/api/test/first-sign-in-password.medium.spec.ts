import type { LoginResponse, Problem, Session } from '@chirality/contracts';
import { controllersOf } from '../src/core/http/controllers-of';
import { routeTable } from '../src/core/http/route-table';
import { AppModule } from '../src/server/app.module';
import { ApiClient } from './api-client';
import { ApiHarness, OWNER } from './api-harness';

jest.setTimeout(60_000);

const ROUTES = routeTable(controllersOf(AppModule)).filter(({ notes }) => !notes.public);
const OPEN = ['get /v1/me', 'post /v1/auth/password/change'];

describe('a password that was made for the first sign-in', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let session: Session;

  beforeAll(async () => {
    api = await ApiHarness.start();
    const other = await api.client.login();
    session = await other.createSession((await other.createProject()).id);
    await api.worker.database.pool.query('UPDATE "user" SET must_change_password = true');
    owner = await api.client.login();
  });
  afterAll(() => api.stop());

  it('opens nothing but its own change and who one is, whatever the route and whether there is such a thing', async () => {
    expect(
      ROUTES.filter(({ notes }) => notes.beforePasswordChange)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(OPEN);
    expect((await owner.get('/v1/me').expect(200)).body).toMatchObject({ user: { mustChangePassword: true } });
    for (const { method, path } of ROUTES.filter(({ notes }) => !notes.beforePasswordChange)) {
      const { status, body } = await owner.send(method, path.replace(':sessionId', session.id).replace(/:\w+/g, 'x'));
      expect([method, path, status, (body as Problem).code]).toEqual([method, path, 403, 'PASSWORD_CHANGE_REQUIRED']);
    }
    const streamed = await owner.get(`/v1/sessions/${session.id}/events`).set('accept', 'text/event-stream');
    expect([streamed.status, streamed.body]).toMatchObject([403, { code: 'PASSWORD_CHANGE_REQUIRED' }]);
  });

  it('opens no socket, and none continues with its token', async () => {
    await expect(owner.live()).rejects.toMatchObject({ data: { code: 'PASSWORD_CHANGE_REQUIRED', status: 403 } });
    await api.worker.database.pool.query('UPDATE "user" SET must_change_password = false');
    const live = await owner.live();
    await api.worker.database.pool.query('UPDATE "user" SET must_change_password = true');
    expect(await live.ask('auth:refresh', { token: owner.token })).toMatchObject({ code: 'PASSWORD_CHANGE_REQUIRED' });
    live.close();
  });

  it('can be renewed and signed out with, and once it is replaced everything is open', async () => {
    const renewed = await owner
      .post('/v1/auth/refresh')
      .set('cookie', owner.cookie ?? '')
      .expect(200);
    expect((renewed.body as LoginResponse).user.mustChangePassword).toBe(true);
    const leaving = await api.client.login();
    await leaving
      .post('/v1/auth/logout')
      .set('cookie', leaving.cookie ?? '')
      .expect(204);
    await owner
      .post('/v1/auth/password/change', { currentPassword: 'not this one', newPassword: 'a password of my own' })
      .expect(403);
    const changed = await owner
      .post('/v1/auth/password/change', { currentPassword: OWNER.password, newPassword: 'a password of my own' })
      .expect(200);
    const after = new ApiClient(api.url).adopt(changed);
    expect(after.user.mustChangePassword).toBe(false);
    await after.get(`/v1/sessions/${session.id}`).expect(200);
    (await after.live()).close();
  });
});
