import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import request from 'supertest';
import type { AccessTokens } from '../src/auth/access-tokens';
import { ApiClient, cookieOf } from './api-client';
import { ApiHarness, OWNER } from './api-harness';

describe('signing in', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  }, 60_000);
  afterAll(() => api.stop());

  const refresh = (cookie: string | null) => request(api.url).post('/v1/auth/refresh').set('cookie', cookie ?? '');

  it('answers a token, and the refresh token in a cookie that no script reads', async () => {
    const response = await request(api.url).post('/v1/auth/login').send(OWNER).expect(200);
    expect(response.get('Set-Cookie')?.[0]).toMatch(/^chirality_refresh=[^;]+; Path=\/v1\/auth; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect(response.text).not.toContain(cookieOf(response)?.split('=')[1]);
    const me = await request(api.url).get('/v1/me').set('authorization', `Bearer ${(response.body as { accessToken: string }).accessToken}`).expect(200);
    expect(me.body).toMatchObject({ user: { email: OWNER.email }, teams: [{ role: 'owner' }] });
  });

  it('takes the address in any case', async () => {
    await new ApiClient(api.url).login({ ...OWNER, email: ` ${OWNER.email.toUpperCase()}` });
  });

  it('says the same of a wrong password and an unknown address', async () => {
    const wrong = await request(api.url).post('/v1/auth/login').send({ ...OWNER, password: 'not this one' }).expect(401);
    const unknown = await request(api.url).post('/v1/auth/login').send({ ...OWNER, email: 'nobody@example.org' }).expect(401);
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

  it.each([null, 'chirality_refresh=', 'chirality_refresh=tok_1.0.x', 'chirality_refresh=a%00b'])('refuses the cookie %s', async (cookie) => {
    const response = await refresh(cookie).expect(401);
    expect(response.body).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('ends with logging out, for the access token too', async () => {
    const client = await api.client.login();
    const out = await request(api.url).post('/v1/auth/logout').set('cookie', client.cookie ?? '').expect(204);
    expect(cookieOf(out)).toBe('chirality_refresh=');
    await client.get('/v1/me').expect(401);
    await refresh(client.cookie).expect(401);
  });

  it('goes on here and ends elsewhere when the password changes', async () => {
    const owner = await api.client.login();
    const team = await owner.team();
    const person = await owner.invite(team.id, 'changer@example.org', 'member');
    const elsewhere = await new ApiClient(api.url).login({ email: 'changer@example.org', password: 'password of changer@example.org' });
    const wrong = await person.post('/v1/auth/password/change', { currentPassword: 'no', newPassword: 'a brand new password' }).expect(403);
    expect(wrong.body).toMatchObject({ code: 'FORBIDDEN' });
    const changed = await person.post('/v1/auth/password/change', { currentPassword: 'password of changer@example.org', newPassword: 'a brand new password' }).expect(200);
    await elsewhere.get('/v1/me').expect(401);
    await refresh(elsewhere.cookie).expect(401);
    await person.get('/v1/me').expect(401);
    await refresh(cookieOf(changed)).expect(200);
    await person.adopt(changed).get('/v1/me').expect(200);
    await new ApiClient(api.url).login({ email: 'changer@example.org', password: 'a brand new password' });
  });

  it.each([-5_000, 5_000])('goes on with a new password where this machine’s clock is %i ms beside the database’s', async (beside) => {
    const owner = await api.client.login();
    const email = `clock${beside}@example.org`.replace('-', 'minus');
    await owner.invite((await owner.team()).id, email, 'member');
    jest.useFakeTimers({ now: Date.now() + beside, doNotFake: ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    try {
      const person = await new ApiClient(api.url).login({ email, password: `password of ${email}` });
      const changed = await person.post('/v1/auth/password/change', { currentPassword: `password of ${email}`, newPassword: 'a brand new password' }).expect(200);
      await person.get('/v1/me').expect(401);
      await person.adopt(changed).get('/v1/me').expect(200);
      await refresh(cookieOf(changed)).expect(200);
    } finally {
      jest.useRealTimers();
    }
  });

  it('can be regained by a link that works once, goes to the owner of the address, and ends every sign-in', async () => {
    const owner = await api.client.login();
    const team = await owner.team();
    const person = await owner.invite(team.id, 'forgetful@example.org', 'member');
    const outbox = join(api.dataDir, 'outbox');
    const asked = await request(api.url).post('/v1/auth/password/forgot').set('host', 'localhost').send({ email: 'forgetful@example.org' }).expect(202);
    const unknown = await request(api.url).post('/v1/auth/password/forgot').send({ email: 'nobody@example.org' }).expect(202);
    expect(unknown.text).toBe(asked.text);
    await waitFor(() => readMails(outbox).some((mail) => mail.includes('forgetful')), { what: 'the mail is in the outbox' });
    const mails = readMails(outbox);
    expect(mails).toHaveLength(1);
    const [, link, token] = /(http:\S+#(\S+))/.exec(mails[0] ?? '') ?? [];
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:0\/reset-password#/);
    expect(api.logLines.join('')).not.toContain(token);

    const reset = (newPassword: string) => request(api.url).post('/v1/auth/password/reset').send({ token, newPassword });
    const race = await Promise.all([reset('the first new password'), reset('the second new password')]);
    expect(race.map(({ status }) => status).sort()).toEqual([204, 403]);
    await reset('the third new password').expect(403);
    await person.get('/v1/me').expect(401);
    await refresh(person.cookie).expect(401);
    await request(api.url).post('/v1/auth/login').send({ email: 'forgetful@example.org', password: 'password of forgetful@example.org' }).expect(401);
  });

  it('refuses tokens that are malformed, foreign, expired, or of somebody who is not there', async () => {
    const person = await api.client.login();
    const { familyId } = api.tokens().verify(person.token ?? '');
    const sign = (tokens: AccessTokens, userId: string, at = Date.now()) => tokens.sign(userId, familyId, at).accessToken;
    const refused = {
      noise: 'x',
      malformed: 'a.b.c',
      foreign: sign(api.tokens(Buffer.alloc(32, 9)), person.user.id),
      expired: sign(api.tokens(), person.user.id, Date.now() - 3_600_000),
      nobody: sign(api.tokens(), newId('user')),
    };
    for (const [what, token] of Object.entries(refused)) {
      const response = await request(api.url).get('/v1/me').set('authorization', `Bearer ${token}`);
      expect([what, response.status, (response.body as { code: string }).code]).toEqual([what, 401, 'UNAUTHENTICATED']);
      expect(response.headers['www-authenticate']).toBe('Bearer');
    }
    await person.get('/v1/me').expect(200);
  });
});

function readMails(outbox: string): string[] {
  try {
    return readdirSync(outbox).map((file) => {
      expect(statSync(join(outbox, file)).mode & 0o777).toBe(0o600);
      return readFileSync(join(outbox, file), 'utf8');
    });
  } catch {
    return [];
  }
}

describe('too many attempts', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  }, 60_000);
  afterAll(() => api.stop());

  it('stop an account and then a peer, whatever address the peer claims, on every node', async () => {
    const second = await api.startNode();
    const attempt = (n: number, email: string) =>
      request(n % 2 ? api.url : second.url).post('/v1/auth/login').set('x-forwarded-for', `10.0.0.${n}`).send({ email, password: 'wrong' });
    const byAccount = await Promise.all(Array.from({ length: 40 }, (_, n) => attempt(n, 'victim@example.org')));
    expect(byAccount.filter(({ status }) => status === 401)).toHaveLength(20);
    const refused = byAccount.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    await api.client.login();
    await Promise.all(Array.from({ length: 40 }, (_, n) => attempt(n, `spray${n}@example.org`)));
    await request(api.url).post('/v1/auth/login').send(OWNER).expect(429);
  }, 60_000);

  it('tell people behind a declared proxy apart by the address that the proxy says', async () => {
    const behindProxy = await api.startNode({ CHIRALITY_TRUST_PROXY: '1' });
    const attempt = (address: string, email: string) => request(behindProxy.url).post('/v1/auth/login').set('x-forwarded-for', address).send({ email, password: 'wrong' });
    await Promise.all(Array.from({ length: 60 }, (_, n) => attempt('203.0.113.7', `proxied${n}@example.org`)));
    await attempt('203.0.113.7', 'another@example.org').expect(429);
    await attempt('198.51.100.9, 203.0.113.7', 'another@example.org').expect(429);
    await attempt('203.0.113.8', 'another@example.org').expect(401);
  }, 60_000);
});
