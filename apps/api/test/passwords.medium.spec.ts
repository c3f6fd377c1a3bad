import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@chirality/testing';
import request from 'supertest';
import { ApiClient, cookieOf, passwordOf } from './api-client';
import { ApiHarness, OWNER } from './api-harness';

describe('a password', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  }, 60_000);
  afterAll(() => api.stop());

  const refresh = (cookie: string | null) =>
    request(api.url)
      .post('/v1/auth/refresh')
      .set('cookie', cookie ?? '');
  it.each(['1234567890', 'aaaaaaaaaa', 'qwertyuiop', 'password12', 'newcomer@example.org'])(
    'asks for another password than %s, at the field, wherever one is set',
    async (weak) => {
      const owner = await api.client.login();
      const { token } = (
        await owner
          .post(`/v1/teams/${(await owner.team()).id}/invitations`, { email: 'newcomer@example.org' })
          .expect(201)
      ).body as { token: string };
      const joined = await request(api.url)
        .post(`/v1/invitations/${token}/accept`)
        .send({ name: 'Newcomer', password: weak })
        .expect(400);
      expect(joined.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'password' }] });
      const changed = await owner
        .post('/v1/auth/password/change', {
          currentPassword: OWNER.password,
          newPassword: weak.replace('newcomer@example.org', OWNER.email),
        })
        .expect(400);
      expect(changed.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'newPassword' }] });
    },
  );

  it('continues here and ends elsewhere when the password changes', async () => {
    const owner = await api.client.login();
    const team = await owner.team();
    const person = await owner.invite(team.id, 'changer@example.org', 'member');
    const elsewhere = await new ApiClient(api.url).login({
      email: 'changer@example.org',
      password: passwordOf('changer@example.org'),
    });
    const wrong = await person
      .post('/v1/auth/password/change', { currentPassword: 'no', newPassword: 'a brand new password' })
      .expect(403);
    expect(wrong.body).toMatchObject({ code: 'FORBIDDEN' });
    const changed = await person
      .post('/v1/auth/password/change', {
        currentPassword: passwordOf('changer@example.org'),
        newPassword: 'a brand new password',
      })
      .expect(200);
    await elsewhere.get('/v1/me').expect(401);
    await refresh(elsewhere.cookie).expect(401);
    await person.get('/v1/me').expect(401);
    await refresh(cookieOf(changed)).expect(200);
    await person.adopt(changed).get('/v1/me').expect(200);
    await new ApiClient(api.url).login({ email: 'changer@example.org', password: 'a brand new password' });
  });

  it.each([-5_000, 5_000])(
    'continues with a new password where this machine’s clock is %i ms beside the database’s',
    async (beside) => {
      const owner = await api.client.login();
      const email = `clock${beside}@example.org`.replace('-', 'minus');
      await owner.invite((await owner.team()).id, email, 'member');
      jest.useFakeTimers({
        now: Date.now() + beside,
        doNotFake: [
          'hrtime',
          'nextTick',
          'performance',
          'queueMicrotask',
          'setImmediate',
          'clearImmediate',
          'setInterval',
          'clearInterval',
          'setTimeout',
          'clearTimeout',
        ],
      });
      try {
        const person = await new ApiClient(api.url).login({ email, password: passwordOf(email) });
        const changed = await person
          .post('/v1/auth/password/change', { currentPassword: passwordOf(email), newPassword: 'a brand new password' })
          .expect(200);
        await person.get('/v1/me').expect(401);
        await person.adopt(changed).get('/v1/me').expect(200);
        await refresh(cookieOf(changed)).expect(200);
      } finally {
        jest.useRealTimers();
      }
    },
  );

  it('can be regained by a link that works once, goes to the owner of the address, and ends every sign-in', async () => {
    const owner = await api.client.login();
    const team = await owner.team();
    const person = await owner.invite(team.id, 'forgetful@example.org', 'member');
    const outbox = join(api.dataDir, 'outbox');
    const asked = await request(api.url)
      .post('/v1/auth/password/forgot')
      .set('host', 'localhost')
      .send({ email: 'forgetful@example.org' })
      .expect(202);
    const unknown = await request(api.url)
      .post('/v1/auth/password/forgot')
      .send({ email: 'no-one@example.org' })
      .expect(202);
    expect(unknown.text).toBe(asked.text);
    await waitFor(() => readMails(outbox).some((mail) => mail.includes('forgetful')), {
      what: 'the mail is in the outbox',
    });
    const mails = readMails(outbox);
    expect(mails).toHaveLength(1);
    const [, link, token] = /(http:\S+#(\S+))/.exec(mails[0] ?? '') ?? [];
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:0\/reset-password#/);
    expect(api.logLines.join('')).not.toContain(token);

    const reset = (newPassword: string) =>
      request(api.url).post('/v1/auth/password/reset').send({ token, newPassword });
    const race = await Promise.all([reset('the first new password'), reset('the second new password')]);
    expect(race.map(({ status }) => status).sort()).toEqual([204, 403]);
    await reset('the third new password').expect(403);
    await person.get('/v1/me').expect(401);
    await refresh(person.cookie).expect(401);
    await request(api.url)
      .post('/v1/auth/login')
      .send({ email: 'forgetful@example.org', password: passwordOf('forgetful@example.org') })
      .expect(401);
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

/** Numbers between 0 and 1, the same ones each time. */
