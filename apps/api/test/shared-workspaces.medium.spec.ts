import type {
  ListedSession,
  Page,
  Project,
  QueueState,
  Session,
  SessionWorkspace,
  Turn,
  Visibility,
} from '@chirality/contracts';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('a workspace that sessions share', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let colleague: ApiClient;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    colleague = await owner.invite((await owner.team()).id, 'colleague@example.org', 'member');
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    project = await owner.createProject();
  });

  const sharing = async (who: ApiClient, visibility: Visibility = 'project', title = 'Refactoring') =>
    (await who.post('/v1/sessions', { projectId: project.id, workspace: 'shared', visibility, title }).expect(201))
      .body as Session;
  const workspaceOf = async (who: ApiClient, sessionId: string) =>
    (await who.get(`/v1/sessions/${sessionId}/workspace`).expect(200)).body as SessionWorkspace;
  const send = (who: ApiClient, sessionId: string) => who.post(`/v1/sessions/${sessionId}/turns`, { message: 'Go' });

  it('refuses a turn while another session has one there, and says which session, who and since when', async () => {
    const [theirs, mine] = [await sharing(owner), await sharing(colleague)];
    const { turn } = (await send(owner, theirs.id).expect(202)).body as { turn: Turn };
    const { body } = await send(colleague, mine.id).expect(409);
    const by = { userId: owner.user.id, name: owner.user.name };
    const session = { id: theirs.id, title: 'Refactoring' };
    expect(body).toMatchObject({
      code: 'WORKSPACE_IN_USE',
      session,
      turnId: turn.id,
      holder: by,
      since: turn.queuedAt,
    });
    expect(body.detail).toContain('“Refactoring”');
    const seen = await workspaceOf(colleague, mine.id);
    expect(seen).toMatchObject({ workspace: 'shared', inUse: { session, turnId: turn.id, by, since: turn.queuedAt } });
    expect(seen.sessions.map(({ id, owner: { name }, status }) => [id, name, status]).sort()).toEqual(
      [
        [theirs.id, owner.user.name, 'running'],
        [mine.id, colleague.user.name, 'idle'],
      ].sort(),
    );
    const use = { session, turnId: turn.id, by, since: turn.queuedAt };
    const listed = (await colleague.get(`/v1/sessions?projectId=${project.id}`).expect(200))
      .body as Page<ListedSession>;
    expect(listed.data.map(({ workspaceUse }) => workspaceUse)).toEqual([use, use]);
    const { workspaces } = (await colleague.get('/v1/queue').expect(200)).body as QueueState;
    expect(workspaces).toContainEqual({ id: mine.sharedWorkspaceId, projectId: project.id, branch: null, use });
    for (const write of [
      () => colleague.post(`/v1/sessions/${mine.id}/commit`, { message: 'Mine' }),
      () => colleague.post(`/v1/sessions/${mine.id}/base`, { act: 'merge' }),
      () => colleague.send('put', `/v1/sessions/${mine.id}/files/content?path=a`),
    ])
      expect((await write().expect(409)).body).toMatchObject({ code: 'WORKSPACE_IN_USE', session, holder: by });
    await owner.post(`/v1/sessions/${theirs.id}/interrupt`).expect(202);
    await send(colleague, mine.id).expect(202);
  });

  it('tells of a session that the person may not see only that the workspace is in use', async () => {
    const [theirs, mine] = [await sharing(owner, 'private', 'Layoffs'), await sharing(colleague)];
    await send(owner, theirs.id).expect(202);
    const refused = await send(colleague, mine.id).expect(409);
    const seen = await workspaceOf(colleague, mine.id);
    expect(refused.body.code).toBe('WORKSPACE_IN_USE');
    expect(seen.inUse).toEqual({ session: null, turnId: null, by: null, since: null });
    expect(seen.sessions.map(({ id }) => id)).toEqual([mine.id]);
    const [list, queue] = await Promise.all(['/v1/sessions?limit=100', '/v1/queue'].map((path) => colleague.get(path)));
    expect(list?.text).toContain('"workspaceUse":{"session":null');
    for (const answer of [JSON.stringify(refused.body), JSON.stringify(seen)])
      for (const secret of ['Layoffs', theirs.id, owner.user.id, owner.user.name]) expect(answer).not.toContain(secret);
    for (const answer of [list?.text, queue?.text])
      for (const secret of ['Layoffs', theirs.id]) expect(answer).not.toContain(secret);
  });

  it('is not there for a session with its own files', async () => {
    const session = await owner.createSession(project.id);
    expect(await workspaceOf(owner, session.id)).toEqual({
      workspace: 'own',
      branch: null,
      sessions: [],
      inUse: null,
    });
  });
});
