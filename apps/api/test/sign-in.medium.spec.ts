import type { AuditEntry, Page } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import request, { type Response } from 'supertest';
import type { AccessTokens } from '../src/access/access-tokens';
import { ApiClient, cookieOf, passwordOf } from './api-client';
import { ApiHarness, OWNER } from './api-harness';

describe('signing in', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  }, 60_000);
  afterAll(() => api.stop());

  const refresh = (cookie: string | null) =>
    request(api.url)
      .post('/v1/auth/refresh')
      .set('cookie', cookie ?? '');
  it('answers a token, and the refresh token in a cookie that no script reads', async () => {
    const response = await request(api.url).post('/v1/auth/login').send(OWNER).expect(200);
    expect(response.get('Set-Cookie')?.[0]).toMatch(
      /^chirality_refresh=[^;]+; Path=\/v1\/auth; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(response.text).not.toContain(cookieOf(response)?.split('=')[1]);
    const me = await request(api.url)
      .get('/v1/me')
      .set('authorization', `Bearer ${(response.body as { accessToken: string }).accessToken}`)
      .expect(200);
    expect(me.body).toMatchObject({ user: { email: OWNER.email }, teams: [{ role: 'owner' }] });
  });

  it('takes the address in any case', async () => {
    await new ApiClient(api.url).login({ ...OWNER, email: ` ${OWNER.email.toUpperCase()}` });
  });

  it('says the same of a wrong password and an unknown address', async () => {
    const wrong = await request(api.url)
      .post('/v1/auth/login')
      .send({ ...OWNER, password: 'not this one' })
      .expect(401);
    const unknown = await request(api.url)
      .post('/v1/auth/login')
      .send({ ...OWNER, email: 'no-one@example.org' })
      .expect(401);
    const odd = await request(api.url).post('/v1/auth/login').send({ email: '\0', password: '\0' }).expect(401);
    const without = (body: object) => ({ ...body, requestId: '' });
    expect(without(unknown.body as object)).toEqual(without(wrong.body as object));
    expect(without(odd.body as object)).toEqual(without(wrong.body as object));
  });

  it.each([undefined, {}, { email: 1, password: 'x' }, { ...OWNER, more: 1 }])('refuses the body %j', async (body) => {
    const response = await request(api.url).post('/v1/auth/login').send(body).expect(400);
    expect(response.body).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('replaces the refresh token; the one just replaced gives the same successor, an older one ends the sign-in', async () => {
    const client = await api.client.login();
    const first = client.cookie;
    const second = cookieOf(await refresh(first).expect(200));
    const again = await Promise.all([refresh(first).expect(200), refresh(first).expect(200)]);
    expect(again.map(cookieOf)).toEqual([second, second]);
    const third = await refresh(second).expect(200);
    await refresh(first).expect(401);
    await refresh(cookieOf(third)).expect(401);
    await client.get('/v1/me').expect(401);
  });

  it.each([null, 'chirality_refresh=', 'chirality_refresh=tok_1.0.x', 'chirality_refresh=a%00b'])(
    'refuses the cookie %s',
    async (cookie) => {
      const response = await refresh(cookie).expect(401);
      expect(response.body).toMatchObject({ code: 'UNAUTHENTICATED' });
    },
  );

  it('survives 200 renewals whose answers are lost now and then, however late they are asked for again', async () => {
    const client = await api.client.login();
    const { familyId } = api.tokens().verify(client.token ?? '');
    const later = () =>
      api.services[0]?.database.pool.query(
        `UPDATE refresh_family SET rotated_at = now() - interval '3 hours' WHERE id = $1`,
        [familyId],
      );
    const random = seededRandom(57);
    for (let round = 0; round < 200; round++) {
      const held = client.cookie;
      const lost = Math.floor(random() * 3);
      for (let n = 0; n < lost; n++) {
        expect([round, (await refresh(held)).status]).toEqual([round, 200]);
        if (random() < 0.7) await later();
      }
      const tabs = await Promise.all(Array.from({ length: 1 + Math.floor(random() * 3) }, () => refresh(held)));
      expect([round, tabs.map(({ status }) => status).filter((status) => status !== 200)]).toEqual([round, []]);
      expect(new Set(tabs.map(cookieOf)).size).toBe(1);
      client.adopt(tabs[0] as Response);
      if (random() < 0.8) await client.get('/v1/me').expect(200);
    }
  }, 120_000);

  it('ends when an old token comes back after its successor was used, which stands in the audit log', async () => {
    const owner = await api.client.login();
    const client = await api.client.login();
    const stolen = client.cookie;
    client.adopt(await refresh(stolen).expect(200));
    await client.get('/v1/me').expect(200);
    const { familyId } = api.tokens().verify(client.token ?? '');
    await api.services[0]?.database.pool.query(
      `UPDATE refresh_family SET rotated_at = now() - interval '5 minutes' WHERE id = $1`,
      [familyId],
    );
    await refresh(stolen).expect(401);
    await client.get('/v1/me').expect(401);
    await refresh(client.cookie).expect(401);
    const { data } = (await owner.get('/v1/audit?action=user:token-replay').expect(200)).body as Page<AuditEntry>;
    expect(data.filter(({ object }) => object === familyId)).toEqual([
      expect.objectContaining({ userId: owner.user.id }),
    ]);
  });

  it('and signing out, wrong passwords, new ones and what was denied stand in the audit log of the person’s teams', async () => {
    const owner = await api.client.login();
    const team = await owner.team();
    const email = 'watched@example.org';
    const person = await owner.invite(team.id, email, 'viewer');
    await request(api.url)
      .post('/v1/auth/login')
      .set('user-agent', 'test/1')
      .send({ email, password: 'not this one' })
      .expect(401);
    const signedIn = await new ApiClient(api.url).login({ email, password: passwordOf(email) });
    await signedIn
      .post('/v1/auth/logout')
      .set('cookie', signedIn.cookie ?? '')
      .expect(204);
    await person.post('/v1/projects', { name: 'Denied' }).expect(403);
    person.adopt(
      await person
        .post('/v1/auth/password/change', { currentPassword: passwordOf(email), newPassword: 'a brand new password' })
        .expect(200),
    );
    const entries = async () =>
      ((await owner.get(`/v1/audit?userId=${person.user.id}`).expect(200)).body as Page<AuditEntry>).data;
    await waitFor(async () => (await entries()).some(({ action }) => action === 'act:deny'), {
      what: 'the denied act is recorded',
    });
    const found = await entries();
    expect(found.map(({ action }) => action).sort()).toEqual([
      'act:deny',
      'invitation:accept',
      'user:change-password',
      'user:sign-in',
      'user:sign-in',
      'user:sign-in',
      'user:sign-in-fail',
      'user:sign-out',
    ]);
    expect(found.find(({ action }) => action === 'user:sign-in-fail')).toMatchObject({
      userName: 'watched',
      detail: { address: '127.0.0.1', userAgent: 'test/1' },
    });
    expect(found.find(({ action }) => action === 'act:deny')?.detail).toMatchObject({
      method: 'POST',
      route: '/v1/projects',
    });
    expect(JSON.stringify(found)).not.toContain('not this one');
    await person.get('/v1/audit').expect(403);
  });

  it('behind TLS uses cookies that no other host can set, and still takes the one of before', async () => {
    const behindTls = await api.startNode({ CHIRALITY_PUBLIC_URL: 'https://chirality.example' });
    const node = (path: string) => request(behindTls.url).post(path).set('host', 'chirality.example');
    const before = await api.client.login();
    const moved = await node('/v1/auth/refresh')
      .set('cookie', before.cookie ?? '')
      .expect(200);
    const cookies = moved.get('Set-Cookie') ?? [];
    expect(cookies.find((one) => one.startsWith('__Host-chirality_refresh='))).toMatch(
      /; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(cookies.find((one) => one.startsWith('chirality_refresh='))).toMatch(
      /^chirality_refresh=; Path=\/v1\/auth; Expires=Thu, 01 Jan 1970/,
    );
    const own = cookies.find((one) => one.startsWith('__Host-chirality_refresh='))?.split(';')[0] ?? '';
    const out = await node('/v1/auth/logout').set('cookie', `${own}; chirality_refresh=planted`).expect(204);
    expect((out.get('Set-Cookie') ?? []).map((one) => one.split('=')[0])).toEqual([
      '__Host-chirality_refresh',
      'chirality_refresh',
    ]);
    await node('/v1/auth/refresh').set('cookie', own).expect(401);
  });

  it('ends with logging out, for the access token too', async () => {
    const client = await api.client.login();
    const out = await request(api.url)
      .post('/v1/auth/logout')
      .set('cookie', client.cookie ?? '')
      .expect(204);
    expect(cookieOf(out)).toBe('chirality_refresh=');
    await client.get('/v1/me').expect(401);
    await refresh(client.cookie).expect(401);
  });

  it('refuses tokens that are malformed, foreign, expired, or of an unknown user', async () => {
    const person = await api.client.login();
    const { familyId } = api.tokens().verify(person.token ?? '');
    const sign = (tokens: AccessTokens, userId: string, at = Date.now()) =>
      tokens.sign(userId, familyId, at).accessToken;
    const refused = {
      noise: 'x',
      malformed: 'a.b.c',
      foreign: sign(api.tokens(Buffer.alloc(32, 9)), person.user.id),
      expired: sign(api.tokens(), person.user.id, Date.now() - 3_600_000),
      unknown: sign(api.tokens(), newId('user')),
    };
    for (const [what, token] of Object.entries(refused)) {
      const response = await request(api.url).get('/v1/me').set('authorization', `Bearer ${token}`);
      expect([what, response.status, (response.body as { code: string }).code]).toEqual([what, 401, 'UNAUTHENTICATED']);
      expect(response.headers['www-authenticate']).toBe('Bearer');
    }
    await person.get('/v1/me').expect(200);
  });
});

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
