import type { AuditEntry, Envelope, Harness, Page, Project, Session } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('keeping sessions', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    member = await owner.invite((await owner.team()).id, 'member@example.org', 'member');
    project = await owner.createProject('Payments');
  });
  afterAll(() => api.stop());

  const list = async (who: ApiClient, query = '') =>
    (await who.get(`/v1/sessions${query}`).expect(200)).body as Page<Session>;
  const titles = ({ data }: Page<Session>) => data.map(({ title }) => title);

  it('makes them with what was chosen, and refuses what is not there', async () => {
    const created = await owner
      .post('/v1/sessions', {
        projectId: project.id,
        persona: 'Bug_Hunter',
        mode: 'pipeline',
        visibility: 'project_read',
        title: 'Chosen',
        options: { maxTurns: 5 },
      })
      .expect(201);
    expect(created.body).toMatchObject({
      persona: 'bug-hunter',
      mode: 'pipeline',
      visibility: 'project_read',
      title: 'Chosen',
      options: { maxTurns: 5 },
      status: 'idle',
      lastEventId: 0,
      costUsd: '0',
    });
    expect(
      (await owner.post('/v1/sessions', { projectId: project.id, persona: 'nobody' }).expect(404)).body,
    ).toMatchObject({ code: 'PERSONA_NOT_FOUND' });
    await owner.post('/v1/sessions', { projectId: project.id, harness: 'agent-sdk' }).expect(400);
    await owner.post('/v1/sessions', { projectId: project.id, workspace: 'borrowed' }).expect(400);
    await owner
      .post('/v1/sessions', { projectId: project.id, options: { permissionMode: 'bypassPermissions' } })
      .expect(400);
    const personas = await owner.get(`/v1/projects/${project.id}/personas`).expect(200);
    expect(personas.body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ key: 'reviewer', origin: 'built-in' })]) as object,
    });
  });

  it('takes a harness that a live worker has, and runs a turn by one only while one has it', async () => {
    const install = (names: string[]) =>
      api.worker.database.pool.query('UPDATE worker SET harnesses = $2 WHERE id = $1', [api.worker.id, names]);
    const available = async () =>
      ((await owner.get('/v1/harnesses').expect(200)).body as Page<Harness>).data.flatMap(({ name, available }) =>
        available ? [name] : [],
      );
    const start = (harness: string) => owner.post('/v1/sessions', { projectId: project.id, harness });
    expect(await available()).toEqual(['claude-code']);
    await install(['claude-code', 'agent-sdk']);
    expect(await available()).toEqual(['claude-code', 'agent-sdk']);
    const session = (await start('agent-sdk').expect(201)).body as Session;
    await install(['claude-code']);
    expect((await start('agent-sdk').expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await owner.post(`/v1/sessions/${session.id}/turns`, { message: 'Hello' }).expect(502)).body).toMatchObject(
      { code: 'HARNESS_FAILURE' },
    );
    const switchTo = (harness: string) => owner.patch(`/v1/sessions/${session.id}`, { harness });
    expect((await switchTo('claude-code').expect(200)).body).toMatchObject({ harness: 'claude-code' });
    expect((await switchTo('agent-sdk').expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await owner.get('/v1/harnesses').expect(200)).body).toMatchObject({
      data: [{ reason: null }, { reason: expect.stringContaining('@anthropic-ai/claude-agent-sdk is not installed') }],
    });
    await install([]);
    expect((await start('claude-code').expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    await install(['claude-code']);
    await start('claude-code').expect(201);
  });

  it('lists what a person may see, page by page, and finds by title', async () => {
    const shelf = await owner.createProject('Shelf');
    for (let n = 0; n < 5; n++)
      await owner.createSession(shelf.id, { title: `Volume ${n}`, visibility: n % 2 ? 'private' : 'project' });
    expect(titles(await list(owner, `?projectId=${shelf.id}`))).toEqual([
      'Volume 4',
      'Volume 3',
      'Volume 2',
      'Volume 1',
      'Volume 0',
    ]);
    expect(titles(await list(member, `?projectId=${shelf.id}`))).toEqual(['Volume 4', 'Volume 2', 'Volume 0']);
    expect(titles(await list(owner, '?search=volume%203'))).toEqual(['Volume 3']);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page<Session> = await list(
        owner,
        `?projectId=${shelf.id}&limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      );
      seen.push(...titles(page));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
    for (const bad of ['?limit=0', '?limit=201', '?limit=x', '?cursor=%00', '?search=%00'])
      await owner.get(`/v1/sessions${bad}`).expect(400);
    expect(await list(owner, '?projectId=nothing')).toEqual({ data: [], nextCursor: null });
  });

  it('tells every watcher what was changed', async () => {
    const session = await owner.createSession(project.id, { visibility: 'project' });
    const live = await member.live();
    await live.attach(session.id);
    const changed = await owner
      .patch(`/v1/sessions/${session.id}`, { title: 'Renamed', persona: null, options: { model: 'opus' } })
      .expect(200);
    expect(changed.body).toMatchObject({ title: 'Renamed', options: { model: 'opus' } });
    expect(await live.until(session.id, 1)).toMatchObject([
      {
        kind: 'session:update',
        originator: { userId: owner.user.id, identityClass: 'human' },
        payload: { changes: { title: 'Renamed', options: { model: 'opus' } } },
      },
    ]);
    expect((await owner.patch(`/v1/sessions/${session.id}`, {}).expect(200)).body).toMatchObject({
      title: 'Renamed',
      lastEventId: 1,
    });
    await member.patch(`/v1/sessions/${session.id}`, { title: 'Taken' }).expect(403);
    live.close();
  });

  it('ends and archives: what ran is interrupted, nothing more is taken, everything stays readable', async () => {
    const session = await owner.createSession(project.id);
    await owner.sendTurn(session.id);
    const turn = await api.worker.claim();
    await api.worker.become(turn, 'spawned');
    await owner.delete(`/v1/sessions/${session.id}`).expect(204);
    expect((await api.worker.turns.readSignals(api.worker.id)).interrupts).toMatchObject([{ turnId: turn.id }]);
    await api.worker.settle(turn, 'interrupt');
    await owner.delete(`/v1/sessions/${session.id}`).expect(204);
    expect((await owner.post(`/v1/sessions/${session.id}/turns`, { message: 'more' }).expect(409)).body).toMatchObject({
      code: 'CONFLICT',
    });
    await owner.patch(`/v1/sessions/${session.id}`, { title: 'x' }).expect(409);
    await owner.post(`/v1/sessions/${session.id}/interrupt`).expect(202);
    expect((await owner.get(`/v1/sessions/${session.id}`).expect(200)).body).toMatchObject({ status: 'archived' });
    const events = ((await owner.get(`/v1/sessions/${session.id}/events`).expect(200)).body as Page<Envelope>).data.map(
      ({ kind }) => kind,
    );
    expect(events).toEqual(['turn:queued', 'session:end', 'turn:end']);
    expect(titles(await list(owner, '?archived=true'))).toEqual(['Session']);
    expect((await list(owner)).data.map(({ id }) => id)).not.toContain(session.id);
  });

  it('keeps sessions of a project that is archived to be read, ends what runs in them, and starts no more', async () => {
    const old = await owner.createProject('Old');
    const session = await owner.createSession(old.id, { visibility: 'project' });
    await member.delete(`/v1/projects/${old.id}`).expect(403);
    await member.sendTurn(session.id);
    const turn = await api.worker.claim();
    await api.worker.become(turn, 'spawned');
    await owner.delete(`/v1/projects/${old.id}`).expect(204);
    expect((await api.worker.turns.readSignals(api.worker.id)).interrupts).toMatchObject([{ turnId: turn.id }]);
    await api.worker.settle(turn, 'interrupt');
    await owner.get(`/v1/projects/${old.id}`).expect(404);
    await owner.post('/v1/sessions', { projectId: old.id }).expect(404);
    expect((await member.get(`/v1/sessions/${session.id}`).expect(200)).body).toMatchObject({ status: 'archived' });
    expect((await member.post(`/v1/sessions/${session.id}/turns`, { message: 'more' }).expect(409)).body).toMatchObject(
      { code: 'CONFLICT' },
    );
    await owner.patch(`/v1/sessions/${session.id}`, { visibility: 'private' }).expect(409);
    expect((await list(owner)).data.map(({ id }) => id)).not.toContain(session.id);
    expect((await list(owner, '?archived=true')).data.map(({ id }) => id)).toContain(session.id);
  });

  it('restores a session as it was, for those who may archive it', async () => {
    const session = await owner.createSession(project.id, { visibility: 'project', title: 'Back again' });
    expect((await owner.post(`/v1/sessions/${session.id}/restore`).expect(409)).body).toMatchObject({
      code: 'CONFLICT',
    });
    await owner.delete(`/v1/sessions/${session.id}`).expect(204);
    await member.post(`/v1/sessions/${session.id}/restore`).expect(403);
    expect((await owner.post(`/v1/sessions/${session.id}/restore`).expect(200)).body).toMatchObject({
      id: session.id,
      status: 'idle',
      title: 'Back again',
    });
    expect((await list(owner)).data.map(({ id }) => id)).toContain(session.id);
    await owner.sendTurn(session.id);
    const turn = await api.worker.claim();
    await api.worker.become(turn, 'spawned');
    await api.worker.settle(turn, 'interrupt');
    expect(((await owner.get('/v1/audit').expect(200)).body as Page<AuditEntry>).data).toContainEqual(
      expect.objectContaining({ action: 'session:restore', object: session.id }),
    );
  });

  it('restores a project with its sessions, but not those that were archived themselves', async () => {
    const old = await owner.createProject('Older');
    const [kept, archived] = [await owner.createSession(old.id), await owner.createSession(old.id)];
    expect((await owner.post(`/v1/projects/${old.id}/restore`).expect(409)).body).toMatchObject({ code: 'CONFLICT' });
    await owner.delete(`/v1/sessions/${archived.id}`).expect(204);
    await owner.delete(`/v1/projects/${old.id}`).expect(204);
    expect((await owner.post(`/v1/sessions/${kept.id}/restore`).expect(409)).body).toMatchObject({
      code: 'CONFLICT',
      detail: expect.stringContaining('project'),
    });
    expect(
      ((await owner.get('/v1/projects?archived=true').expect(200)).body as Page<Project>).data.map(({ id }) => id),
    ).toContain(old.id);
    await member.post(`/v1/projects/${old.id}/restore`).expect(403);
    expect((await owner.post(`/v1/projects/${old.id}/restore`).expect(200)).body).toMatchObject({
      id: old.id,
      name: 'Older',
    });
    expect(
      ((await owner.get('/v1/projects?archived=true').expect(200)).body as Page<Project>).data.map(({ id }) => id),
    ).not.toContain(old.id);
    const statuses = [kept, archived].map(
      async ({ id }) => ((await owner.get(`/v1/sessions/${id}`).expect(200)).body as Session).status,
    );
    expect(await Promise.all(statuses)).toEqual(['idle', 'archived']);
  });

  it('shows who is there, once each, while they are', async () => {
    const session = await owner.createSession(project.id, { visibility: 'project' });
    const [one, two, three] = await Promise.all([owner.live(), owner.live(), member.live()]);
    for (const live of [one, two, three]) await live.attach(session.id);
    const names = () =>
      one.people
        .get(session.id)
        ?.map(({ name }) => name)
        .sort();
    await waitFor(() => names()?.length === 2, { what: 'two people are shown' });
    expect(names()).toEqual(['Owner', 'member']);
    two.close();
    three.socket.emit('session:detach', { session: session.id });
    await waitFor(() => names()?.length === 1, { what: 'who left is gone' });
    one.close();
    three.close();
  });
});
