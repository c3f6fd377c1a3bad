import type {
  AuditEntry,
  OptionLimits,
  Page,
  Problem,
  Project,
  ResolvedOptions,
  Session,
  Team,
  TeamPersona,
  Turn,
} from '@chirality/contracts';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

const LONG_GUIDE = '---\nname: Guide\nmax_turns: 90\n---\nShow the way.';

describe('limits on turns and running time', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let admin: ApiClient;
  let member: ApiClient;
  let viewer: ApiClient;
  let teamId: string;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    admin = await owner.invite(teamId, 'admin@example.org', 'admin');
    member = await owner.invite(teamId, 'member@example.org', 'member');
    viewer = await owner.invite(teamId, 'viewer@example.org', 'viewer');
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    await owner.patch(`/v1/teams/${teamId}`, { limits: {}, options: {} }).expect(200);
    project = await owner.createProject();
  });

  const limitProject = (limits: OptionLimits, who = admin) => who.patch(`/v1/projects/${project.id}`, { limits });
  const limitTeam = (limits: OptionLimits, who = admin) => who.patch(`/v1/teams/${teamId}`, { limits });
  const resolved = async ({ id }: Session) =>
    (await viewer.get(`/v1/sessions/${id}/options`).expect(200)).body as ResolvedOptions;
  const open = (more: object = {}) => member.createSession(project.id, { visibility: 'project', ...more });
  const audited = async (action: string, object: string) =>
    ((await owner.get(`/v1/audit?limit=200&action=${action}`).expect(200)).body as Page<AuditEntry>).data
      .filter((entry) => entry.object === object)
      .map(({ userName, detail }) => [userName, detail]);

  it('are set by admins, seen by everyone in the team, and recorded', async () => {
    for (const who of [member, viewer]) {
      expect((await limitProject({ maxTurns: 40 }, who).expect(403)).body).toMatchObject({ code: 'FORBIDDEN' });
      expect((await limitTeam({ maxTurns: 40 }, who).expect(403)).body).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(project.limits).toEqual({});
    expect((await limitProject({ maxTurns: 40, timeoutMs: 1_800_000 }).expect(200)).body).toMatchObject({
      limits: { maxTurns: 40, timeoutMs: 1_800_000 },
    });
    await limitProject({ maxTurns: 40, timeoutMs: 1_800_000 }).expect(200);
    await limitProject({ timeoutMs: 60_000 }).expect(200);
    expect((await viewer.get(`/v1/projects/${project.id}`).expect(200)).body).toMatchObject({
      limits: { timeoutMs: 60_000 },
    });
    expect(await audited('project:limits', project.id)).toEqual([
      ['admin', { from: { maxTurns: 40, timeoutMs: 1_800_000 }, to: { timeoutMs: 60_000 } }],
      ['admin', { from: {}, to: { maxTurns: 40, timeoutMs: 1_800_000 } }],
    ]);
    const before = (await audited('team:limits', teamId)).length;
    expect(((await limitTeam({ maxTurns: 30 }).expect(200)).body as Team).limits).toEqual({ maxTurns: 30 });
    expect((await viewer.team()).limits).toEqual({ maxTurns: 30 });
    expect((await audited('team:limits', teamId)).slice(0, -before || undefined)).toEqual([
      ['admin', { from: {}, to: { maxTurns: 30 } }],
    ]);
  });

  it('of another team are those of an unknown one', async () => {
    const founder = await owner.invite(teamId, 'founder@example.org', 'member');
    const elsewhere = (await founder.post('/v1/teams', { name: 'Elsewhere' }).expect(201)).body as Team;
    const stranger = await founder.invite(elsewhere.id, 'stranger@example.org', 'admin');
    for (const id of [project.id, 'proj_01J0000000000000000000000Z'])
      expect((await stranger.patch(`/v1/projects/${id}`, { limits: { maxTurns: 1 } }).expect(404)).body).toMatchObject({
        code: 'PROJECT_NOT_FOUND',
      });
    for (const id of [teamId, 'team_01J0000000000000000000000Z'])
      expect((await stranger.patch(`/v1/teams/${id}`, { limits: { maxTurns: 1 } }).expect(404)).body).toMatchObject({
        code: 'NOT_FOUND',
      });
    expect((await owner.get(`/v1/projects/${project.id}`).expect(200)).body).toMatchObject({ limits: {} });
  });

  it.each([
    { maxTurns: 0 },
    { maxTurns: 1001 },
    { maxTurns: 1.5 },
    { timeoutMs: 999 },
    { timeoutMs: '60000' },
    { model: 'opus' },
  ])('cannot be %j', async (limits) => {
    for (const path of [`/v1/projects/${project.id}`, `/v1/teams/${teamId}`])
      expect((await admin.patch(path, { limits }).expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('deny what goes beyond them at its field, where it is set, and nothing of the request is done', async () => {
    await limitTeam({ maxTurns: 40 }).expect(200);
    await limitProject({ timeoutMs: 1_800_000 }).expect(200);
    const session = await open({ options: { maxTurns: 40, timeoutMs: 1_800_000 } });
    const turns = {
      path: 'options.maxTurns',
      message: 'At most 40 model turns, set by the team.',
      limit: { value: 40, from: 'team' },
    };
    const time = {
      path: 'options.timeoutMs',
      message: 'At most 30 min, set by the project.',
      limit: { value: 1_800_000, from: 'project' },
    };
    const denied = [
      [member.post('/v1/sessions', { projectId: project.id, options: { maxTurns: 41 } }), [turns]],
      [
        member.patch(`/v1/sessions/${session.id}`, { title: 'Taken', options: { maxTurns: 41, timeoutMs: 1_800_001 } }),
        [turns, time],
      ],
      [member.post(`/v1/sessions/${session.id}/turns`, { message: 'more', options: { timeoutMs: 1_800_001 } }), [time]],
      [member.post(`/v1/sessions/${session.id}/boot`, { options: { maxTurns: 41 } }), [turns]],
      [admin.patch(`/v1/projects/${project.id}`, { name: 'Taken', options: { timeoutMs: 1_800_001 } }), [time]],
      [
        admin.patch(`/v1/projects/${project.id}`, { options: { maxTurns: 30 }, limits: { maxTurns: 29 } }),
        [{ ...turns, message: 'At most 29 model turns, set by the project.', limit: { value: 29, from: 'project' } }],
      ],
      [
        admin.patch(`/v1/projects/${project.id}`, { limits: { maxTurns: 41 } }),
        [{ ...turns, path: 'limits.maxTurns' }],
      ],
      [admin.patch(`/v1/teams/${teamId}`, { options: { maxTurns: 41 } }), [turns]],
    ] as const;
    for (const [request, errors] of denied) {
      const { status, body } = await request;
      expect({ status, body: body as Problem }).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', errors, detail: expect.stringContaining(errors[0].message) as string },
      });
    }
    expect((await member.get(`/v1/sessions/${session.id}`).expect(200)).body).toMatchObject({
      title: 'Session',
      options: session.options,
      activeTurnId: null,
    });
    expect((await member.get(`/v1/projects/${project.id}`).expect(200)).body).toMatchObject({
      name: 'Project',
      options: {},
      limits: { timeoutMs: 1_800_000 },
    });
  });

  it('deny a persona of the team by its line, and an older version of it too', async () => {
    const persona = (await owner.post('/v1/personas', { key: 'long-guide', text: LONG_GUIDE }).expect(201))
      .body as TeamPersona;
    await owner.patch(`/v1/personas/${persona.id}`, { baseVersion: 1, text: 'Show the way.' }).expect(200);
    await limitTeam({ maxTurns: 40 }).expect(200);
    const error = { path: 'text', line: 3, field: 'max_turns', message: 'At most 40 model turns, set by the team.' };
    const denied = [
      owner.post('/v1/personas', { key: 'longer-guide', text: LONG_GUIDE }),
      owner.patch(`/v1/personas/${persona.id}`, { baseVersion: 2, text: LONG_GUIDE }),
      owner.patch(`/v1/personas/${persona.id}`, { baseVersion: 2, restoreVersion: 1 }),
    ];
    for (const request of denied)
      expect((await request.expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [error] });
    await owner
      .patch(`/v1/personas/${persona.id}`, { baseVersion: 2, text: LONG_GUIDE.replace('90', '40') })
      .expect(200);
  });

  it('lower what was set before them, on every level, and a worker gets no more', async () => {
    const persona = (await owner.post('/v1/personas', { key: 'old-guide', text: LONG_GUIDE }).expect(201))
      .body as TeamPersona;
    await owner.patch(`/v1/teams/${teamId}`, { options: { timeoutMs: 7_200_000 } }).expect(200);
    await owner.patch(`/v1/projects/${project.id}`, { options: { maxTurns: 80 } }).expect(200);
    const [asking, plain, guided] = [
      await open({ options: { maxTurns: 100, timeoutMs: 3_600_000 } }),
      await open(),
      await open({ persona: persona.key }),
    ];
    expect(await resolved(asking)).toMatchObject({
      maxTurns: { value: 100, from: 'session' },
      timeoutMs: { value: 3_600_000, from: 'session' },
    });

    await limitTeam({ maxTurns: 60, timeoutMs: 1_200_000 }).expect(200);
    await limitProject({ maxTurns: 20 }).expect(200);
    const turns = { value: 20, from: 'project', limit: { value: 20, from: 'project' } };
    const time = { value: 1_200_000, from: 'team', limit: { value: 1_200_000, from: 'team' } };
    for (const session of [asking, plain, guided])
      expect(await resolved(session)).toMatchObject({ maxTurns: turns, timeoutMs: time });
    const accepted = await member.sendTurn(asking.id);
    expect(accepted.options).toMatchObject({ maxTurns: turns, timeoutMs: time });
    const claimed = await api.worker.claim();
    expect([claimed.id, claimed.options]).toMatchObject([accepted.id, { maxTurns: turns, timeoutMs: time }]);
    await api.worker.settle(claimed, 'fail');

    const { body } = await member
      .post(`/v1/sessions/${plain.id}/turns`, { message: 'less', options: { maxTurns: 3 } })
      .expect(202);
    expect((body as { turn: Turn }).turn.options).toMatchObject({
      maxTurns: { value: 3, from: 'turn', limit: turns.limit },
    });
    await api.worker.settle(await api.worker.claim(), 'fail');
    await limitTeam({}).expect(200);
    await limitProject({}).expect(200);
    expect(await resolved(asking)).toMatchObject({
      maxTurns: { value: 100, from: 'session' },
      timeoutMs: { value: 3_600_000, from: 'session' },
    });
    expect((await resolved(asking)).maxTurns).not.toHaveProperty('limit');
  });

  it('do not take back the answer to a turn that was accepted before', async () => {
    const session = await open();
    const send = (key: string) =>
      member
        .post(`/v1/sessions/${session.id}/turns`, { message: 'long', options: { maxTurns: 50 } })
        .set('idempotency-key', key);
    const { turn } = (await send('before').expect(202)).body as { turn: Turn };
    await api.worker.settle(await api.worker.claim(), 'fail');
    await limitProject({ maxTurns: 10 }).expect(200);
    expect(((await send('before').expect(202)).body as { turn: Turn }).turn.id).toBe(turn.id);
    await send('after').expect(400);
  });
});
