import type { AuditEntry, CreatedToken, DeviceCode, DeviceRequest, Page } from '@chirality/contracts';
import { passwordOf, type ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

describe('signing in a program in a browser', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let teamId: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
  });
  afterAll(() => api.stop());

  const codeOf = ({ body }: { body: object }) => (body as { code?: string }).code;
  const start = async (wanted: object = { clientName: 'chirality' }) =>
    (await api.client.post('/v1/auth/device', wanted).expect(200)).body as DeviceCode;
  const poll = (deviceCode: string) => api.client.post('/v1/auth/device/token', { deviceCode });
  const allow = (who: ApiClient, userCode: string) =>
    who.post('/v1/auth/device/answer', { userCode, decision: 'allow', teamId });
  /** As if its interval had passed. */
  const afterInterval = () =>
    api.worker.database.pool.query("UPDATE device_code SET polled_at = now() - interval '1 h'");

  it('gives the program a token of the person, once, and only after they allowed it', async () => {
    const code = await start({ clientName: 'chirality on build-7', commands: ['events:read'], lifetimeDays: 7 });
    expect(code).toEqual({
      deviceCode: expect.stringMatching(/^[\w-]{43}$/) as string,
      userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as string,
      verificationUri: expect.stringMatching(/^http:.*[0-9]\/device$/) as string,
      interval: 5,
      expiresIn: 600,
    });
    expect((await poll(code.deviceCode).expect(400)).body).toMatchObject({
      code: 'DEVICE_CODE_PENDING',
      intervalSeconds: 5,
      slowDown: false,
    });
    const typed = code.userCode.toLowerCase().replace('-', ' ');
    const request = (await owner.post('/v1/auth/device/request', { userCode: typed }).expect(200))
      .body as DeviceRequest;
    expect(request).toMatchObject({
      clientName: 'chirality on build-7',
      address: expect.stringContaining('127.0.0.1') as string,
      commands: ['events:read'],
      lifetimeDays: 7,
    });
    await allow(owner, typed).expect(204);
    expect(codeOf(await allow(owner, code.userCode).expect(400))).toBe('DEVICE_CODE_EXPIRED');
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(code.deviceCode)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(answers.filter((one) => codeOf(one) === 'DEVICE_CODE_EXPIRED')).toHaveLength(7);
    const { token, secret } = given[0]?.body as CreatedToken;
    expect(token).toMatchObject({ name: 'chirality on build-7', identityClass: 'human', teamId, mayMint: false });
    expect(token.owner.userId).toBe(owner.user.id);
    expect(token.claims).toEqual({ ver: 1, criticalClaims: [], commands: ['events:read'] });
    expect(Math.round((Date.parse(token.expiresAt) - Date.now()) / 86_400_000)).toBe(7);
    const program = Object.assign(api.client, { token: secret });
    expect((await program.get('/v1/me').expect(200)).body).toMatchObject({ user: { id: owner.user.id } });
    expect(codeOf(await program.post('/v1/sessions', {}).expect(403))).toBe('TOKEN_SCOPE');

    const { rows } = await api.worker.database.pool.query('SELECT * FROM device_code, api_token');
    const stored = JSON.stringify(rows) + api.logLines.join('');
    for (const value of [code.deviceCode, code.userCode, secret]) expect(stored).not.toContain(value);
    const { data } = (await owner.get(`/v1/audit?teamId=${teamId}&action=token:*`).expect(200))
      .body as Page<AuditEntry>;
    expect(data.map(({ action, object }) => [action, object])).toEqual([
      ['token:create', token.id],
      ['token:device-allow', request.id],
    ]);
  });

  it('asks a program that asks too often to slow down, and forgets nothing by it', async () => {
    const code = await start();
    await poll(code.deviceCode).expect(400);
    for (const intervalSeconds of [10, 15])
      expect((await poll(code.deviceCode).expect(400)).body).toMatchObject({ intervalSeconds, slowDown: true });
    await afterInterval();
    expect((await poll(code.deviceCode).expect(400)).body).toMatchObject({ intervalSeconds: 15, slowDown: false });
    await allow(owner, code.userCode).expect(204);
    await poll(code.deviceCode).expect(200);
  });

  it('gives nothing that was denied, is too old, or never was', async () => {
    const denied = await start();
    await owner.post('/v1/auth/device/answer', { userCode: denied.userCode, decision: 'deny' }).expect(204);
    expect(codeOf(await poll(denied.deviceCode).expect(403))).toBe('FORBIDDEN');
    const old = await start();
    await allow(owner, old.userCode).expect(204);
    await api.worker.database.pool.query('UPDATE device_code SET expires_at = now()');
    for (const deviceCode of [old.deviceCode, denied.deviceCode, 'x', ''])
      expect(codeOf(await poll(deviceCode).expect(400))).toBe('DEVICE_CODE_EXPIRED');
    expect(codeOf(await owner.post('/v1/auth/device/request', { userCode: old.userCode }).expect(400))).toBe(
      'DEVICE_CODE_EXPIRED',
    );
  });

  it('is for signed-in people: no token, no viewer, no other team', async () => {
    const code = await start();
    const { secret } = (
      await owner.post('/v1/tokens', { name: 'x', teamId, identityClass: 'human', mayMint: true }).expect(201)
    ).body as CreatedToken;
    const program = Object.assign(api.client, { token: secret });
    expect(codeOf(await allow(program, code.userCode).expect(403))).toBe('TOKEN_SCOPE');
    const viewer = await owner.invite(teamId, 'looks@example.org', 'viewer');
    await allow(viewer, code.userCode).expect(403);
    const other = (await owner.post('/v1/teams', { name: 'Other' }).expect(201)).body as { id: string };
    await viewer
      .post('/v1/auth/device/answer', { userCode: code.userCode, decision: 'allow', teamId: other.id })
      .expect(404);
    expect(codeOf(await poll(code.deviceCode).expect(400))).toBe('DEVICE_CODE_PENDING');
  });

  it('is void when the person who allowed it has left, or has another password', async () => {
    const member = await owner.invite(teamId, 'gone@example.org', 'member');
    const [left, changed] = [await start(), await start()];
    await allow(member, left.userCode).expect(204);
    await owner.delete(`/v1/teams/${teamId}/members/${member.user.id}`).expect(204);
    expect(codeOf(await poll(left.deviceCode).expect(400))).toBe('DEVICE_CODE_EXPIRED');
    const email = 'changes@example.org';
    const changing = await owner.invite(teamId, email, 'member');
    await allow(changing, changed.userCode).expect(204);
    await changing
      .post('/v1/auth/password/change', { currentPassword: passwordOf(email), newPassword: 'a much longer lantern 81' })
      .expect(200);
    expect(codeOf(await poll(changed.deviceCode).expect(400))).toBe('DEVICE_CODE_EXPIRED');
  });

  it('ends guessing of codes, for each person and each address', async () => {
    const guesser = await owner.invite(teamId, 'guesser@example.org', 'member');
    const code = await start();
    for (let tries = 0; tries < 10; tries += 1)
      await guesser.post('/v1/auth/device/request', { userCode: 'BBBB-BBBB' }).expect(400);
    await guesser.post('/v1/auth/device/request', { userCode: code.userCode }).expect(429);
    await allow(guesser, code.userCode).expect(429);
    await owner.post('/v1/auth/device/request', { userCode: code.userCode }).expect(200);
    const guesses = await Promise.all(Array.from({ length: 61 }, () => poll('guessed')));
    expect(guesses.map(({ status }) => status)).toContain(429);
    const starts = await Promise.all(Array.from({ length: 31 }, () => api.client.post('/v1/auth/device', {})));
    expect(starts.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(1);
  });
});
