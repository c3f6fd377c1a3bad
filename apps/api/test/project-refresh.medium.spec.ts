import type { BaseAnswer, Project, Session, WorkspaceJob } from '@chirality/contracts';
import { ProjectRefreshRepository, type ClaimedRefresh } from '@chirality/database';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

describe('newer commits of a project’s remote', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let viewer: ApiClient;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    const teamId = (await owner.team()).id;
    member = await owner.invite(teamId, 'member@example.org', 'member');
    viewer = await owner.invite(teamId, 'viewer@example.org', 'viewer');
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    const source = { kind: 'git', url: 'https://git.example.org/r.git' };
    const { id } = (await owner.post('/v1/projects', { name: 'Lamp', source }).expect(201)).body as Project;
    await pool().query(
      "UPDATE project SET source_status = 'ready', bundle_key = 'old', base_commit = 'c1', base_branch = 'main', refreshed_at = now() - interval '1 hour' WHERE id = $1",
      [id],
    );
    project = await read(id);
  });

  const pool = () => api.worker.database.pool;
  const refreshes = () => new ProjectRefreshRepository(api.worker.database);
  const read = async (id: string) => (await owner.get(`/v1/projects/${id}`).expect(200)).body as Project;
  const refresh = (who: ApiClient) => who.post(`/v1/projects/${project.id}/refresh`);
  /** What a worker does with the project that waits. */
  const settle = async (end: 'complete' | 'fail') => {
    const claims: ClaimedRefresh[] = [];
    await waitFor(
      async () => {
        const claim = await refreshes().claimNext(api.worker, { running: [] });
        if (claim) claims.push(claim);
        return claims.length > 0;
      },
      { what: 'it waits' },
    );
    const attempt = claims[0]?.attempt ?? 0;
    const ref = { projectId: project.id, workerId: api.worker.id, attempt };
    return end === 'complete'
      ? refreshes().complete(ref, 'old', { bundleKey: 'new', branch: 'main', baseCommit: 'c2', note: null })
      : refreshes().fail(ref, { code: 'GIT_AUTH_FAILED', detail: 'The host does not accept the account.' });
  };
  const start = () => owner.post('/v1/sessions', { projectId: project.id });

  it('are asked for by those who work in it, and once', async () => {
    expect(project).toMatchObject({
      baseCommit: 'c1',
      baseBranch: 'main',
      behind: 0,
      refreshBeforeSession: true,
      branchPattern: 'chirality/{title}-{id}',
    });
    await refresh(viewer).expect(403);
    expect((await refresh(member).expect(202)).body).toMatchObject({
      refresh: { status: 'waiting' },
      baseCommit: 'c1',
    });
    await refresh(owner).expect(202);
    await settle('complete');
    expect(await read(project.id)).toMatchObject({ baseCommit: 'c2', refresh: { status: 'idle', error: null } });
    const audit = (await owner.get(`/v1/audit?action=project:refresh&projectId=${project.id}`).expect(200)).body as {
      data: object[];
    };
    expect(audit.data).toHaveLength(1);
  });

  it('are no longer asked for once someone who works in it stops that', async () => {
    const stop = (who: ApiClient) => who.delete(`/v1/projects/${project.id}/refresh`);
    expect((await stop(owner).expect(409)).body).toMatchObject({ code: 'CONFLICT' });
    await refresh(owner).expect(202);
    await stop(viewer).expect(403);
    const stopped = (await stop(member).expect(200)).body as Project;
    expect(stopped).toMatchObject({ baseCommit: 'c1', refresh: { status: 'failed', error: { code: 'GIT_STOPPED' } } });
    expect(stopped.refresh?.error?.detail).toMatch(/^\S.* stopped the refresh\.$/);
    await refresh(member).expect(202);
    await settle('complete');
  });

  it('are not there for a project without a remote', async () => {
    const empty = await owner.createProject();
    expect(empty).toMatchObject({ refresh: null, behind: null });
    expect((await owner.post(`/v1/projects/${empty.id}/refresh`).expect(409)).body).toMatchObject({ code: 'CONFLICT' });
  });

  it('are waited for by a new session, which says so where it cannot have them', async () => {
    const [fresh] = await Promise.all([start().expect(201), settle('complete')]);
    expect((fresh.body as Session).baseNotice).toBeNull();
    // It was asked about a moment ago.
    expect(((await start().expect(201)).body as Session).baseNotice).toBeNull();
    await pool().query("UPDATE project SET refreshed_at = now() - interval '1 hour', bundle_key = 'old'");
    const [failed] = await Promise.all([start().expect(201), settle('fail')]);
    expect((failed.body as Session).baseNotice).toMatchObject({ code: 'GIT_AUTH_FAILED' });
    const late = (await start().expect(201)).body as Session;
    expect(late.baseNotice).toMatchObject({
      detail: expect.stringContaining('refresh from the remote did not end within 4 seconds') as string,
    });
    await owner.patch(`/v1/projects/${project.id}`, { refreshBeforeSession: false }).expect(200);
    expect(((await start().expect(201)).body as Session).baseNotice).toBeNull();
  });

  it('have settings that owners and admins change, within what git takes', async () => {
    const change = { refreshBeforeSession: false, branchPattern: 'claude/{title}' };
    await member.patch(`/v1/projects/${project.id}`, change).expect(403);
    expect((await owner.patch(`/v1/projects/${project.id}`, change).expect(200)).body).toMatchObject(change);
    expect((await owner.patch(`/v1/projects/${project.id}`, { branchPattern: 'a b' }).expect(400)).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'branchPattern' }],
    });
  });

  it('are brought into a session by a worker; conflicts are an answer with a message for Claude', async () => {
    const session = (await owner.post('/v1/sessions', { projectId: (await owner.createProject()).id }).expect(201))
      .body as Session;
    const asked: WorkspaceJob[] = [];
    const base = {
      commit: 'c1',
      projectCommit: 'c2',
      branch: 'main',
      behind: 1,
      ahead: 1,
      isMerging: true,
      conflicts: ['a.txt'],
      mayUndo: true,
    };
    const serving = api.worker.messaging.serveWorkspaceJobs(api.worker.id, async (job) => {
      asked.push(job);
      return job.act === 'read-base' ? { act: 'read-base', base } : { act: 'change-base', outcome: 'conflicts', base };
    });
    await serving.ready;
    expect((await owner.get(`/v1/sessions/${session.id}/base`).expect(200)).body).toEqual(base);
    const answer = (await owner.post(`/v1/sessions/${session.id}/base`, { act: 'merge' }).expect(202))
      .body as BaseAnswer;
    expect(answer).toMatchObject({ outcome: 'conflicts', code: 'GIT_CONFLICT', base });
    expect(answer.message).toContain('- "a.txt"');
    expect(asked[1]).toMatchObject({ change: 'merge', author: { name: owner.user.name } });
    await owner.post(`/v1/sessions/${session.id}/base`, { act: 'squash' }).expect(400);
    await serving.close();
  });
});
