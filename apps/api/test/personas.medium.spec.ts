import type { Page, PersonaDetail, PersonaVersion, Problem, TeamPersona } from '@chirality/contracts';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

const GUIDE =
  '---\nname: Guide\nmodel: opus\nauto_approve_tools: Bash(git *)\nmax_turns: 90\n---\nShow the way. Slowly.';

describe('personas of a team', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let admin: ApiClient;
  let member: ApiClient;
  let teamId: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    admin = await owner.invite(teamId, 'admin@example.org', 'admin');
    member = await owner.invite(teamId, 'member@example.org', 'member');
  });
  afterAll(() => api.stop());

  const create = async (key: string, text = GUIDE): Promise<TeamPersona> =>
    (await owner.post('/v1/personas', { key, text }).expect(201)).body as TeamPersona;
  const versions = async (id: string): Promise<PersonaVersion[]> =>
    ((await member.get(`/v1/personas/${id}/versions`).expect(200)).body as Page<PersonaVersion>).data;

  it('are a file’s text under a key, and everyone in the team reads them', async () => {
    const made = await create('Trail_Guide');
    expect(made).toMatchObject({
      teamId,
      key: 'trail-guide',
      name: 'Guide',
      description: 'Show the way.',
      version: 1,
      text: GUIDE,
      options: { model: 'opus', maxTurns: 90, autoApproveTools: ['Bash(git *)'] },
      deletedAt: null,
    });
    expect((await member.get(`/v1/personas/${made.id}`).expect(200)).body).toEqual(made);
    expect(((await member.get('/v1/personas').expect(200)).body as Page<TeamPersona>).data).toContainEqual(made);
    expect((await owner.post('/v1/personas', { key: 'trail-guide', text: GUIDE }).expect(409)).body).toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('stand beside those that are built in, which everyone in the team reads whole', async () => {
    const builtIn = async () =>
      ((await member.get('/v1/personas/built-in').expect(200)).body as Page<PersonaDetail>).data;
    const reviewer = (await builtIn()).find(({ key }) => key === 'reviewer');
    expect(reviewer).toMatchObject({ name: 'Reviewer', origin: 'built-in', shadowedBy: null, problem: null });
    expect(reviewer?.text).toContain('name: Reviewer');
    const { id } = await create('reviewer');
    expect(await builtIn()).toContainEqual({ ...reviewer, shadowedBy: 'team', choosable: false });
    await owner.delete(`/v1/personas/${id}`).expect(204);
    expect(await builtIn()).toContainEqual(reviewer);
  });

  it('are written by owners and admins only', async () => {
    const { id } = await create('guarded');
    for (const act of [
      member.post('/v1/personas', { key: 'mine', text: GUIDE }),
      member.patch(`/v1/personas/${id}`, { baseVersion: 1, text: 'Other.' }),
      member.delete(`/v1/personas/${id}`),
    ]) {
      expect((await act).body).toMatchObject({ code: 'FORBIDDEN' });
    }
    await admin.patch(`/v1/personas/${id}`, { baseVersion: 1, text: 'Other.' }).expect(200);
  });

  it.each([
    ['---\nmax_turns: many\n---\nx', 2, 'max_turns', /must be a whole number, not "many"/],
    ['---\ntools: Read\nmodell: opus\n---\nx', 3, 'modell', /is no field of a persona/],
    ['---\nname: x\n---\n', 1, null, /no text after the fields/],
  ])('are refused with the line and field of what is wrong: %j', async (text, line, field, detail) => {
    const refused = (await owner.post('/v1/personas', { key: 'broken', text }).expect(400)).body as Problem;
    expect(refused).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'text', file: 'AGENT_BROKEN.md', line, field }],
    });
    expect(refused.detail).toMatch(detail);
  });

  it('keep every version, and of two who began from the same one the second overwrites nothing', async () => {
    const { id } = await create('shared-work', 'One.');
    const [first, second] = await Promise.all(
      ['Two.', 'Three.'].map((text) => owner.patch(`/v1/personas/${id}`, { baseVersion: 1, text })),
    );
    expect([first?.status, second?.status].sort()).toEqual([200, 409]);
    expect([first, second].find((one) => one?.status === 409)?.body).toMatchObject({ code: 'CONFLICT', version: 2 });
    expect((await versions(id)).map(({ version, text }) => [version, text])).toEqual([
      [2, first?.status === 200 ? 'Two.' : 'Three.'],
      [1, 'One.'],
    ]);
  });

  it('go back to an earlier version by saving it as a new one', async () => {
    const { id } = await create('undone', 'One.');
    await owner.patch(`/v1/personas/${id}`, { baseVersion: 1, text: 'Two.' }).expect(200);
    expect(
      (await owner.patch(`/v1/personas/${id}`, { baseVersion: 2, restoreVersion: 1 }).expect(200)).body,
    ).toMatchObject({ version: 3, text: 'One.' });
    expect((await versions(id)).map(({ version }) => version)).toEqual([3, 2, 1]);
    await owner.patch(`/v1/personas/${id}`, { baseVersion: 3, restoreVersion: 9 }).expect(404);
    await owner.patch(`/v1/personas/${id}`, { baseVersion: 3, restoreVersion: 1, text: 'x' }).expect(400);
  });

  it('stay readable when they are deleted, and their key is free again', async () => {
    const { id } = await create('passing', 'One.');
    await owner.delete(`/v1/personas/${id}`).expect(204);
    expect((await member.get(`/v1/personas/${id}`).expect(200)).body).toMatchObject({
      text: 'One.',
      deletedAt: expect.any(String) as string,
    });
    expect(await versions(id)).toMatchObject([{ text: 'One.' }]);
    await owner.patch(`/v1/personas/${id}`, { baseVersion: 1, text: 'x' }).expect(409);
    await owner.delete(`/v1/personas/${id}`).expect(409);
    expect((await create('passing')).id).not.toBe(id);
  });

  it('take the place of a built-in one of the same key, which the list says', async () => {
    const project = await owner.createProject();
    const made = await create('reviewer', '---\nmax_turns: 3\n---\nOur way.');
    const { body } = await member.get(`/v1/projects/${project.id}/personas`).expect(200);
    const listed = (body as { data: { key: string; origin: string }[] }).data.filter(({ key }) => key === 'reviewer');
    expect(listed).toMatchObject([
      { origin: 'team', id: made.id, version: 1, shadowedBy: null, choosable: true },
      { origin: 'built-in', shadowedBy: 'team', choosable: false },
    ]);
    const session = await owner.createSession(project.id, { persona: 'reviewer' });
    expect(session).toMatchObject({ persona: 'reviewer', personaOrigin: 'team' });
    const turn = await owner.sendTurn(session.id);
    expect(turn).toMatchObject({
      persona: { key: 'reviewer', origin: 'team', id: made.id, version: 1, contentHash: made.contentHash },
      options: { maxTurns: { value: 3, from: 'persona' } },
    });
    expect((await owner.get(`/v1/sessions/${session.id}/turns/${turn.id}`).expect(200)).body).toMatchObject({
      persona: turn.persona as object,
    });
    expect((await api.worker.claim()).persona).toEqual(turn.persona);
    await owner.delete(`/v1/personas/${made.id}`).expect(204);
  });

  it('that are gone stop the next turn with a sentence, but not the answer to a turn that was accepted before', async () => {
    const { id } = await create('short-lived', 'One.');
    const session = await owner.createSession((await owner.createProject()).id, { persona: 'short-lived' });
    const turn = await owner.sendTurn(session.id, 'hello', { 'idempotency-key': 'k1' });
    await api.worker.settle(await api.worker.claim(), 'fail');
    await owner.delete(`/v1/personas/${id}`).expect(204);
    const refused = await owner.post(`/v1/sessions/${session.id}/turns`, { message: 'again' }).expect(404);
    expect(refused.body).toMatchObject({
      code: 'PERSONA_NOT_FOUND',
      detail: expect.stringContaining('short-lived') as string,
    });
    expect(
      (
        await owner
          .post(`/v1/sessions/${session.id}/turns`, { message: 'hello' })
          .set({ 'idempotency-key': 'k1' })
          .expect(202)
      ).body,
    ).toMatchObject({ turn: { id: turn.id } });
  });

  it('leave a trace of each act', async () => {
    const { id } = await create('audited', 'One.');
    await owner.patch(`/v1/personas/${id}`, { baseVersion: 1, text: 'Two.' }).expect(200);
    await owner.delete(`/v1/personas/${id}`).expect(204);
    const { data } = (await owner.get('/v1/audit?limit=200').expect(200)).body as Page<{
      action: string;
      object: string;
    }>;
    expect(data.filter(({ object }) => object === id).map(({ action }) => action)).toEqual([
      'persona:delete',
      'persona:update',
      'persona:create',
    ]);
  });
});
