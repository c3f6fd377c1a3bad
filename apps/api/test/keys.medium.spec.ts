import { createHash } from 'node:crypto';
import type { ModelKey, ModelKeyList, Page, Team } from '@chirality/contracts';
import { ModelKeyRepository, ProjectVariableRepository } from '@chirality/database';
import { modelKeySealOf, variableSealOf } from '@chirality/domain';
import { SecretBox } from '@chirality/platform';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map((name) => createHash('sha256').update(name).digest('hex')) as [
  string,
  string,
  string,
];
const value = (letter: string) => `sk-ant-api03-${letter.repeat(70)}tail`;

describe('keeping keys of the model’s service', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let viewer: ApiClient;
  let team: Team;
  let keys: ModelKeyRepository;

  beforeAll(async () => {
    api = await ApiHarness.start({ env: { CHIRALITY_SECRET_KEY: OLD } });
    owner = await api.client.login();
    team = await owner.team();
    member = await owner.invite(team.id, 'member@example.org', 'member');
    viewer = await owner.invite(team.id, 'viewer@example.org', 'viewer');
    keys = new ModelKeyRepository(api.worker.database);
  });
  afterAll(() => api.stop());

  const list = async (who: ApiClient) => (await who.get('/v1/keys').expect(200)).body as ModelKeyList;
  const set = async (who: ApiClient, scope: string, letter: string) =>
    (await who.post('/v1/keys', { scope, value: value(letter) }).expect(201)).body as ModelKey;
  const opens = async (userId: string, secret: string) => {
    const paying = await keys.findPaying(team.id, userId);
    if (paying === null || paying === 'may_not_work') return paying;
    return [
      paying.scope,
      new SecretBox(Buffer.from(secret, 'hex')).open(paying.sealed, modelKeySealOf(paying.id)).toString(),
    ];
  };

  it('no one has one at first, and the demo model answers', async () => {
    expect(await list(member)).toEqual({ data: [], nextCursor: null, paidBy: { [team.id]: 'demo' } });
    expect(await keys.findPaying(team.id, member.user.id)).toBeNull();
  });

  it('the team’s is for owners and admins to set, one’s own for oneself, and for viewers there is none', async () => {
    await member.post('/v1/keys', { scope: 'team', value: value('m') }).expect(403);
    await viewer.post('/v1/keys', { scope: 'user', value: value('v') }).expect(403);
    await viewer.get(`/v1/keys?teamId=${team.id}`).expect(403);
    expect((await list(viewer)).data).toEqual([]);
    const forTeam = await set(owner, 'team', 'T');
    const own = await set(member, 'user', 'M');
    expect(forTeam).toEqual({
      id: forTeam.id,
      teamId: team.id,
      scope: 'team',
      hint: 'tail',
      createdBy: { userId: owner.user.id, name: 'Owner' },
      createdAt: forTeam.createdAt,
      lastUsedAt: null,
      lastError: null,
    });
    expect(await list(member)).toEqual({ data: [forTeam, own], nextCursor: null, paidBy: { [team.id]: 'user' } });
    // No user sees that another one has a key, not even the team's owner.
    expect(await list(owner)).toEqual({ data: [forTeam], nextCursor: null, paidBy: { [team.id]: 'team' } });
    await owner.delete(`/v1/keys/${own.id}`).expect(404);
    await member.delete(`/v1/keys/${forTeam.id}`).expect(403);
  });

  it('the author’s own pays before the team’s, and never another person’s', async () => {
    expect(await opens(member.user.id, OLD)).toEqual(['user', value('M')]);
    expect(await opens(owner.user.id, OLD)).toEqual(['team', value('T')]);
    const elsewhere = (await owner.post('/v1/teams', { name: 'Elsewhere' }).expect(201)).body as Team;
    expect(await keys.findPaying(elsewhere.id, owner.user.id)).toBeNull();
    expect(await keys.findPaying(elsewhere.id, member.user.id)).toBe('may_not_work');
    await owner.post('/v1/keys', { scope: 'user', value: value('x') }).expect(400);
    await owner.post('/v1/keys', { scope: 'user', value: value('x'), teamId: elsewhere.id }).expect(201);
    expect(await opens(owner.user.id, OLD)).toEqual(['team', value('T')]);
  });

  it('a new one takes the place of the old one, of which nothing is left', async () => {
    const [before] = (await list(owner)).data;
    const after = await set(member, 'user', 'N');
    expect(await opens(member.user.id, OLD)).toEqual(['user', value('N')]);
    await Promise.all(['a', 'b', 'c', 'd'].map((letter) => set(member, 'user', letter)));
    const mine = (await list(member)).data.filter(({ scope }) => scope === 'user');
    expect(mine).toHaveLength(1);
    expect(mine[0]?.id).not.toBe(after.id);
    expect((await list(owner)).data[0]).toEqual(before);
    const { rows } = await api.worker.database.pool.query<{ sealed: number; revoked: number }>(
      'SELECT count(sealed)::int AS sealed, count(revoked_at)::int AS revoked FROM model_key WHERE user_id = $1',
      [member.user.id],
    );
    expect(rows[0]).toEqual({ sealed: 1, revoked: 5 });
  });

  it('says of a wrong one what is wrong, without quoting it', async () => {
    for (const wrong of [
      'sk-ant-oat01-subscription-token-of-another',
      'not-of-that-form-but-secret',
      `sk-ant-api03-${'x'.repeat(600)}`,
    ]) {
      const { body, text } = await member.post('/v1/keys', { scope: 'user', value: wrong }).expect(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED' });
      expect(text).not.toContain(wrong.slice(14, 40));
    }
    expect(api.logLines.join('\n')).not.toMatch(/subscription-token|not-of-that-form/);
  });

  it('tells how it fared', async () => {
    const paying = await keys.findPaying(team.id, owner.user.id);
    const id = paying !== null && paying !== 'may_not_work' ? paying.id : '';
    await keys.markFailed(id, 'refused');
    const own = async () => (await list(owner)).data.find((key) => key.id === id);
    expect(await own()).toMatchObject({
      lastUsedAt: null,
      lastError: { text: 'refused', at: expect.any(String) as string },
    });
    await keys.markUsed(id);
    expect(await own()).toMatchObject({ lastUsedAt: expect.any(String) as string, lastError: null });
  });

  it('is recorded by whom and when, never what', async () => {
    const { body } = await owner.get(`/v1/audit?teamId=${team.id}&limit=200`).expect(200);
    const acts = (body as Page<{ action: string; detail: object }>).data.filter(({ action }) =>
      action.startsWith('key:'),
    );
    expect(acts.map(({ action }) => action)).toContain('key:set');
    expect(JSON.stringify(acts)).not.toContain('sk-ant');
  });

  it('is gone when it is removed, and when its person leaves the team', async () => {
    const leaver = await owner.invite(team.id, 'leaver@example.org', 'admin');
    const theirs = await set(leaver, 'user', 'L');
    await leaver.delete(`/v1/keys/${theirs.id}`).expect(204);
    await leaver.delete(`/v1/keys/${theirs.id}`).expect(404);
    expect(await opens(leaver.user.id, OLD)).toEqual(['team', value('T')]);
    await set(leaver, 'user', 'L');
    await owner.delete(`/v1/teams/${team.id}/members/${leaver.user.id}`).expect(204);
    expect(await keys.findPaying(team.id, leaver.user.id)).toBe('may_not_work');
    const { rowCount } = await api.worker.database.pool.query(
      'SELECT 1 FROM model_key WHERE user_id = $1 AND sealed IS NOT NULL',
      [leaver.user.id],
    );
    expect(rowCount).toBe(0);
  });

  it('is sealed again when the secret key changes, so that the old one can be forgotten', async () => {
    const project = await owner.createProject('With a variable', team.id);
    await owner
      .put(`/v1/projects/${project.id}/variables/TOKEN_OF_TESTS`, { value: 'a value of a variable', givenTo: 'turns' })
      .expect(200);
    await api.startNode({ CHIRALITY_SECRET_KEY: NEW, CHIRALITY_PREVIOUS_SECRET_KEYS: OLD });
    const [variable] = await new ProjectVariableRepository(api.worker.database).listSealed(project.id);
    expect(
      new SecretBox(Buffer.from(NEW, 'hex'))
        .open(variable?.cipher ?? Buffer.alloc(0), variableSealOf(project.id, 'TOKEN_OF_TESTS'))
        .toString(),
    ).toBe('a value of a variable');
    expect(await opens(owner.user.id, NEW)).toEqual(['team', value('T')]);
    await expect(opens(owner.user.id, OLD)).rejects.toThrow('not configured here');
    expect(api.logLines.join('\n')).toContain('secret_key.values_sealed_again');
  });

  it('is named, and kept as it is, when no secret key opens it', async () => {
    await api.startNode({ CHIRALITY_SECRET_KEY: OTHER, CHIRALITY_SECRET_KEY_LOST: '1' });
    expect(api.logLines.join('\n')).toContain('secret_key.value_not_opened');
    expect(await opens(owner.user.id, NEW)).toEqual(['team', value('T')]);
  });
});
