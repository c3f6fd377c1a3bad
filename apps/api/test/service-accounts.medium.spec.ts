import type {
  ApiToken,
  AuditEntry,
  CreatedToken,
  Member,
  Page,
  ServiceAccount,
  Session,
  Turn,
  UsageReport,
} from '@chirality/contracts';
import { newId } from '@chirality/domain';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { LiveClient } from './live-client';

jest.setTimeout(120_000);

describe('service accounts', () => {
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
  const create = async (more: object = {}, who = owner) =>
    (await who.post('/v1/service-accounts', { teamId, name: 'Nightly build', ...more }).expect(201))
      .body as ServiceAccount;
  const tokenOf = async (account: ServiceAccount, who = owner, more: object = {}) =>
    (
      await who
        .post('/v1/tokens', { name: 'CI', teamId, identityClass: 'agent', serviceAccountId: account.id, ...more })
        .expect(201)
    ).body as CreatedToken;
  const programWith = (secret: string): ApiClient => Object.assign(api.client, { token: secret });
  const listed = async (who = owner) =>
    ((await who.get('/v1/service-accounts').expect(200)).body as Page<ServiceAccount>).data;

  it('are members that act by tokens of agents, in their own name', async () => {
    const account = await create();
    expect(account).toMatchObject({ name: 'Nightly build', owner: { userId: owner.user.id }, tokens: 0 });
    const members = ((await owner.get(`/v1/teams/${teamId}/members`).expect(200)).body as { data: Member[] }).data;
    expect(members.map(({ userId, kind, role }) => [userId, kind, role])).toContainEqual([
      account.id,
      'service',
      'member',
    ]);
    const asPerson = { name: 'CI', teamId, identityClass: 'human', serviceAccountId: account.id };
    expect(codeOf(await owner.post('/v1/tokens', asPerson).expect(400))).toBe('VALIDATION_FAILED');
    const { token, secret } = await tokenOf(account);
    expect(token).toMatchObject({ owner: { userId: account.id }, isOfServiceAccount: true, identityClass: 'agent' });
    const program = programWith(secret);
    const project = await owner.createProject('Built');
    const session = (await program.post('/v1/sessions', { projectId: project.id }).expect(201)).body as Session;
    expect(session.ownerId).toBe(account.id);
    const turn = await program.sendTurn(session.id, 'build it');
    expect(turn.author).toEqual({ userId: account.id, name: 'Nightly build', identityClass: 'agent' });
    const [shown] = await listed();
    expect(shown).toMatchObject({ id: account.id, tokens: 1 });
    const { data } = (await owner.get(`/v1/audit?teamId=${teamId}&userId=${account.id}`).expect(200))
      .body as Page<AuditEntry>;
    expect(data.map(({ action, userName }) => [action, userName])).toContainEqual(['turn:message', 'Nightly build']);
  });

  it('cannot sign in, get no reset link, and have no other role', async () => {
    const account = await create({ name: 'No door' });
    const { rows } = await api.worker.database.pool.query<{ email: string }>('SELECT email FROM "user" WHERE id = $1', [
      account.id,
    ]);
    const email = rows[0]?.email ?? '';
    for (const password of ['!', '', 'x'])
      expect((await api.client.post('/v1/auth/login', { email, password })).status).toBe(401);
    await owner.post(`/v1/teams/${teamId}/members/${account.id}/password-reset`).expect(409);
    await owner.patch(`/v1/teams/${teamId}/members/${account.id}`, { role: 'admin' }).expect(409);
    await api.client.post('/v1/auth/password/forgot', { email }).expect(202);
    const resets = await api.worker.database.pool.query('SELECT 1 FROM password_reset WHERE user_id = $1', [
      account.id,
    ]);
    expect(resets.rowCount).toBe(0);
  });

  it('have their own budget and key, and are billed in their own name', async () => {
    const account = await create({ name: 'Billed' });
    const value = `sk-ant-api03-${'k'.repeat(80)}`;
    const changed = await owner.patch(`/v1/service-accounts/${account.id}`, { key: value }).expect(200);
    expect(changed.body).toMatchObject({ hasOwnKey: true });
    expect(changed.text).not.toContain(value);
    await owner
      .post('/v1/budgets', { scope: 'user', subjectId: account.id, teamId, period: 'month', limitUsd: '0' })
      .expect(201);
    const program = programWith((await tokenOf(account)).secret);
    const project = await owner.createProject('Billed');
    const session = (await program.post('/v1/sessions', { projectId: project.id }).expect(201)).body as Session;
    expect(codeOf(await program.post(`/v1/sessions/${session.id}/turns`, { message: 'x' }).expect(402))).toBe(
      'BUDGET_EXCEEDED',
    );
    await owner.patch(`/v1/service-accounts/${account.id}`, { key: null }).expect(200);
    expect((await listed()).find(({ id }) => id === account.id)?.hasOwnKey).toBe(false);
    await api.worker.database.pool.query(
      `INSERT INTO usage_record (id, team_id, project_id, session_id, turn_id, attempt, user_id, model, input_tokens,
         output_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, cost_usd, source)
       VALUES ($1, $2, $3, $4, $5, 1, $6, 'haiku', 1, 1, 0, 0, 0, 0.25, 'gateway')`,
      [newId('usage'), teamId, project.id, session.id, newId('turn'), account.id],
    );
    const report = (await owner.get(`/v1/usage?teamId=${teamId}&groupBy=user`).expect(200)).body as UsageReport;
    expect(JSON.stringify(report)).toContain(account.id);
    expect(JSON.stringify(report)).toContain('Billed');
  });

  it('are made by those who manage the team, and used by the member who answers for them', async () => {
    const keeper = await owner.invite(teamId, 'keeper@example.org', 'member');
    const other = await owner.invite(teamId, 'other@example.org', 'member');
    const viewer = await owner.invite(teamId, 'viewer@example.org', 'viewer');
    await keeper.post('/v1/service-accounts', { teamId, name: 'Mine' }).expect(403);
    await owner.post('/v1/service-accounts', { teamId, name: 'x', ownerId: viewer.user.id }).expect(400);
    const account = await create({ ownerId: keeper.user.id });
    await owner.post('/v1/service-accounts', { teamId, name: 'x', ownerId: account.id }).expect(400);
    expect((await listed(keeper)).map(({ id }) => id)).toEqual([account.id]);
    const { token } = await tokenOf(account, keeper);
    expect(((await keeper.get('/v1/tokens').expect(200)).body as Page<ApiToken>).data.map(({ id }) => id)).toContain(
      token.id,
    );
    await keeper.patch(`/v1/service-accounts/${account.id}`, { ownerId: other.user.id }).expect(403);
    await keeper.delete(`/v1/service-accounts/${account.id}`).expect(403);
    expect(await listed(other)).toEqual([]);
    await other.patch(`/v1/service-accounts/${account.id}`, { name: 'x' }).expect(404);
    await other
      .post('/v1/tokens', { name: 'x', teamId, identityClass: 'agent', serviceAccountId: account.id })
      .expect(404);
    await other.delete(`/v1/tokens/${token.id}`).expect(404);
    const minting = programWith((await tokenOf(account, owner, { mayMint: true })).secret);
    const taken = { name: 'x', teamId, identityClass: 'agent', serviceAccountId: account.id };
    expect(codeOf(await minting.post('/v1/tokens', taken).expect(403))).toBe('TOKEN_SCOPE');
    await keeper.delete(`/v1/tokens/${token.id}`).expect(204);
  });

  it('are suspended when the member who answers for them leaves, until another one does', async () => {
    const keeper = await owner.invite(teamId, 'leaves@example.org', 'member');
    const [left, handed] = [await create({ ownerId: keeper.user.id }), await create({ ownerId: keeper.user.id })];
    await owner.patch(`/v1/service-accounts/${handed.id}`, { ownerId: owner.user.id }).expect(200);
    const { secret } = await tokenOf(left);
    const program = programWith(secret);
    await program.get('/v1/projects').expect(200);
    await owner.delete(`/v1/teams/${teamId}/members/${keeper.user.id}`).expect(204);
    expect(codeOf(await program.get('/v1/projects').expect(401))).toBe('TOKEN_REVOKED');
    expect((await listed()).find(({ id }) => id === left.id)?.owner).toBeNull();
    await owner.patch(`/v1/service-accounts/${left.id}`, { ownerId: owner.user.id }).expect(200);
    await program.get('/v1/projects').expect(200);
    const next = await owner.invite(teamId, 'next@example.org', 'member');
    await owner.patch(`/v1/service-accounts/${left.id}`, { ownerId: next.user.id }).expect(200);
    await owner.delete(`/v1/teams/${teamId}/members/${next.user.id}?handTo=${owner.user.id}`).expect(204);
    expect((await listed()).find(({ id }) => id === left.id)?.owner?.userId).toBe(owner.user.id);
    await program.get('/v1/projects').expect(200);
  });

  it('have no token left that someone holds who left, became a viewer or lost their sign-in', async () => {
    const leave = (who: ApiClient) => owner.delete(`/v1/teams/${teamId}/members/${who.user.id}`).expect(204);
    const demote = (who: ApiClient) =>
      owner.patch(`/v1/teams/${teamId}/members/${who.user.id}`, { role: 'viewer' }).expect(200);
    const reset = async (who: ApiClient) => {
      const { body } = await owner.post(`/v1/teams/${teamId}/members/${who.user.id}/password-reset`).expect(201);
      const token = (body as { link: string }).link.split('#')[1];
      await api.client.post('/v1/auth/password/reset', { token, newPassword: 'a lantern by the stairs' }).expect(204);
    };
    for (const [index, ends] of [leave, demote, reset].entries()) {
      const admin = await owner.invite(teamId, `admin${index}@example.org`, 'admin');
      const account = await create();
      const kept = programWith((await tokenOf(account)).secret);
      const taken = await tokenOf(account, admin, { mayMint: true });
      const program = programWith(taken.secret);
      const child = programWith(
        (
          (await program.post('/v1/tokens', { name: 'x', teamId, identityClass: 'agent' }).expect(201))
            .body as CreatedToken
        ).secret,
      );
      const live = await LiveClient.open(child.socket());
      await ends(admin);
      for (const one of [program, child]) expect(codeOf(await one.get('/v1/me').expect(401))).toBe('TOKEN_REVOKED');
      await waitFor(() => live.disconnected !== null, { what: 'its connection has ended' });
      await kept.get('/v1/me').expect(200);
      const { rows } = await api.worker.database.pool.query(
        'SELECT 1 FROM api_token WHERE made_by_user_id = $1 AND revoked_at IS NULL',
        [admin.user.id],
      );
      expect(rows).toEqual([]);
    }
  });

  it('are suspended when their owner becomes a viewer: what is queued or open in their name ends', async () => {
    const keeper = await owner.invite(teamId, 'looks@example.org', 'member');
    const account = await create({ ownerId: keeper.user.id });
    const program = programWith((await tokenOf(account)).secret);
    const project = await owner.createProject('Watched');
    const session = (await program.post('/v1/sessions', { projectId: project.id }).expect(201)).body as Session;
    const turn = await program.sendTurn(session.id, 'build it');
    const live = await LiveClient.open(program.socket());
    await owner.patch(`/v1/teams/${teamId}/members/${keeper.user.id}`, { role: 'viewer' }).expect(200);
    expect(codeOf(await program.get('/v1/me').expect(401))).toBe('TOKEN_REVOKED');
    await waitFor(() => live.disconnected !== null, { what: 'its connection has ended' });
    const { rows } = await api.worker.database.pool.query('SELECT status FROM turn WHERE id = $1', [turn.id]);
    expect(rows).toEqual([{ status: 'cancelled' }]);
    expect((await listed()).find(({ id }) => id === account.id)?.owner).toBeNull();
    await owner.patch(`/v1/service-accounts/${account.id}`, { ownerId: owner.user.id }).expect(200);
    await program.get('/v1/me').expect(200);
  });

  it('are deleted with their tokens, and leave their sessions and what they did', async () => {
    const account = await create({ name: 'Gone' });
    const program = programWith((await tokenOf(account)).secret);
    const project = await owner.createProject('Left behind');
    const session = (await program.post('/v1/sessions', { projectId: project.id }).expect(201)).body as Session;
    const turn = await program.sendTurn(session.id, 'remember me');
    await owner.delete(`/v1/service-accounts/${account.id}`).expect(204);
    expect(codeOf(await program.get('/v1/projects').expect(401))).toBe('TOKEN_REVOKED');
    expect((await owner.get(`/v1/sessions/${session.id}`).expect(200)).body).toMatchObject({ ownerId: owner.user.id });
    const { data } = (await owner.get(`/v1/sessions/${session.id}/turns`).expect(200)).body as Page<Turn>;
    expect(data.map(({ id, author }) => [id, author.name])).toEqual([[turn.id, 'Gone']]);
    await owner.get(`/v1/service-accounts/${account.id}`).expect(404);
    await owner.delete(`/v1/service-accounts/${account.id}`).expect(404);
  });
});
