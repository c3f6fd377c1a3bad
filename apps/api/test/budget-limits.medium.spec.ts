import type { ModelKey, Session } from '@chirality/contracts';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

const KEY_VALUE = `sk-ant-api03-${'k'.repeat(60)}`;

describe('keeping a budget that is used up', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let session: Session;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    member = await owner.invite((await owner.team()).id, 'member@example.org', 'member');
    session = await owner.createSession((await owner.createProject()).id, { visibility: 'project' });
    await owner.post('/v1/budgets', { scope: 'team', period: 'month', limitUsd: '0' }).expect(201);
  });
  afterAll(() => api.stop());
  afterEach(() => owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202));

  const send = (who: ApiClient) => who.post(`/v1/sessions/${session.id}/turns`, { message: 'hello' });
  const setKey = async (who: ApiClient, scope: 'team' | 'user') =>
    (await who.post('/v1/keys', { scope, value: KEY_VALUE }).expect(201)).body as ModelKey;

  it('lets pass what the demo model would answer, and compacting with it', async () => {
    await send(owner).expect(202);
    await owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202);
    await owner.post(`/v1/sessions/${session.id}/compact`).expect(202);
  });

  it('refuses from the moment a key would be billed: one user’s with their own, everyone’s with the team’s', async () => {
    const own = await setKey(member, 'user');
    expect((await send(member).expect(402)).body).toMatchObject({ code: 'BUDGET_EXCEEDED', scope: 'team' });
    await send(owner).expect(202);
    await owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202);
    const teams = await setKey(owner, 'team');
    await send(owner).expect(402);
    await owner.delete(`/v1/keys/${teams.id}`).expect(204);
    await member.delete(`/v1/keys/${own.id}`).expect(204);
    await send(member).expect(202);
  });

  it('refuses everyone where the installation has its own key', async () => {
    const node = await (await api.startNode({ ANTHROPIC_API_KEY: KEY_VALUE })).login();
    await send(node).expect(402);
  });
});
