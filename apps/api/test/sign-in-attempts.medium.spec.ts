import { waitFor } from '@chirality/testing';
import request from 'supertest';
import { ApiClient, passwordOf } from './api-client';
import { ApiHarness, OWNER } from './api-harness';

describe('too many attempts', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  }, 60_000);
  afterAll(() => api.stop());

  it('lock no one out of their account: not where they signed in before, nor in a browser that they used', async () => {
    const behindProxy = await api.startNode({ CHIRALITY_TRUST_PROXY: '1' });
    const victim = { email: 'colleague@example.org', password: passwordOf('colleague@example.org') };
    const owner = await new ApiClient(behindProxy.url).login();
    await owner.invite((await owner.team()).id, victim.email, 'member');
    const login = (address: string, password: string, cookie = '') =>
      request(behindProxy.url)
        .post('/v1/auth/login')
        .set({ 'x-forwarded-for': address, cookie })
        .send({ email: victim.email, password });
    const atHome = await login('198.51.100.1', victim.password).expect(200);
    const ownBrowser =
      (atHome.get('Set-Cookie') ?? []).find((one) => one.startsWith('chirality_device='))?.split(';')[0] ?? '';

    await Promise.all(
      Array.from({ length: 10 }, (_, host) =>
        Array.from({ length: 15 }, () => login(`203.0.113.${host + 20}`, 'wrong')),
      ).flat(),
    );
    await login('203.0.113.99', victim.password).expect(429);
    await login('198.51.100.1', victim.password).expect(200);
    await login('203.0.113.20', victim.password, ownBrowser).expect(200);
    const forged = ownBrowser.replace(/=(.)/, (_, first: string) => (first === 'A' ? '=B' : '=A'));
    await login('203.0.113.98', victim.password, forged).expect(429);
    await Promise.all(Array.from({ length: 30 }, () => login('198.51.100.7', 'wrong', ownBrowser)));
    await login('198.51.100.7', victim.password, ownBrowser).expect(429);
    await waitFor(
      async () =>
        (await owner.get('/v1/audit?action=user:sign-in-block').expect(200)).text.includes(
          victim.email.split('@')[0] ?? '',
        ),
      { what: 'the block stands in the audit log' },
    );
  }, 120_000);

  it('stop one address at an account, and then at all of them, whatever address it claims, on every node', async () => {
    const second = await api.startNode();
    const attempt = (n: number, email: string) =>
      request(n % 2 ? api.url : second.url)
        .post('/v1/auth/login')
        .set('x-forwarded-for', `10.0.0.${n}`)
        .send({ email, password: 'wrong' });
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
    const attempt = (address: string, email: string) =>
      request(behindProxy.url)
        .post('/v1/auth/login')
        .set('x-forwarded-for', address)
        .send({ email, password: 'wrong' });
    await Promise.all(Array.from({ length: 60 }, (_, n) => attempt('203.0.113.7', `proxied${n}@example.org`)));
    await attempt('203.0.113.7', 'another@example.org').expect(429);
    await attempt('198.51.100.9, 203.0.113.7', 'another@example.org').expect(429);
    await attempt('203.0.113.8', 'another@example.org').expect(401);
  }, 60_000);
});
