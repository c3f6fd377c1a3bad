import type { AuditEntry, Page, Project, ProjectMember, Session } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import { controllersOf } from '../src/core/http/controllers-of';
import { routeTable } from '../src/core/http/route-table';
import { AppModule } from '../src/server/app.module';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { ROUTE_BODIES, ROUTE_QUERIES } from './route-inputs';

jest.setTimeout(120_000);

/** Everything that names a project or a session. */
const ROUTES = routeTable(controllersOf(AppModule)).filter(({ path }) => /:(projectId|sessionId)/.test(path));
const UNKNOWN = '01J0000000000000000000000Z';

describe('a project that is only its members’', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let manager: ApiClient;
  let colleague: ApiClient;
  let viewer: ApiClient;
  let teamId: string;
  let project: Project;
  let session: Session;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    manager = await owner.invite(teamId, 'manager@example.org', 'member');
    colleague = await owner.invite(teamId, 'colleague@example.org', 'member');
    viewer = await owner.invite(teamId, 'viewer@example.org', 'viewer');
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    const body = { name: 'Secret plans', visibility: 'members' };
    project = (await manager.post('/v1/projects', body).expect(201)).body as Project;
    session = await manager.createSession(project.id, { visibility: 'project', title: 'Secret words' });
  });

  const member = (who: ApiClient) => `/v1/projects/${project.id}/members/${who.user.id}`;
  const name = (who: ApiClient, role: string, by = manager) => by.put(member(who), { role });
  const seenBy = async (who: ApiClient) => {
    const { status, body } = await who.get(`/v1/projects/${project.id}`);
    return status === 200 ? (body as Project).role : (body as { code: string }).code;
  };

  it('begins with its maker as its manager, and is the team’s by default', async () => {
    expect(project).toMatchObject({ visibility: 'members', role: 'manage' });
    expect(session.projectVisibility).toBe('members');
    const { data } = (await manager.get(`/v1/projects/${project.id}/members`).expect(200)).body as Page<ProjectMember>;
    expect(data).toMatchObject([{ userId: manager.user.id, role: 'manage', teamRole: 'member' }]);
    expect(await manager.createProject('Open')).toMatchObject({ visibility: 'team', role: 'write' });
    expect(await Promise.all([owner, manager, colleague, viewer].map(seenBy))).toEqual([
      'manage',
      'manage',
      'PROJECT_NOT_FOUND',
      'PROJECT_NOT_FOUND',
    ]);
  });

  it('is, with all in it, nothing to others of the team: no route, no list, no search', async () => {
    const turn = await manager.sendTurn(session.id, 'secret message');
    const ids: Record<string, string> = {
      projectId: project.id,
      sessionId: session.id,
      turnId: turn.id,
      userId: manager.user.id,
      toolUseId: 'tool_1',
      permissionId: `perm_${UNKNOWN}`,
      ruleId: `rule_${UNKNOWN}`,
      key: 'explore',
      name: 'TOKEN',
    };
    const nothing: Record<string, string> = { ...ids, projectId: `proj_${UNKNOWN}`, sessionId: `sess_${UNKNOWN}` };
    const fill = (path: string, by: Record<string, string>) =>
      path.replace(/:(\w+)/g, (_, id: string) => encodeURIComponent(by[id] ?? 'missing'));
    expect(ROUTES.length).toBeGreaterThan(50);
    for (const { method, path } of ROUTES)
      for (const who of [colleague, viewer]) {
        const ask = async (by: Record<string, string>) => {
          const route = `${method} ${path}`;
          const { status, body } = await who.send(
            method,
            fill(path, by) + (ROUTE_QUERIES[route] ?? ''),
            ROUTE_BODIES[route],
          );
          return { route, status, body: { ...(body as object), requestId: '' } };
        };
        const unknown = await ask(nothing);
        expect(unknown.status).toBe(404);
        expect(await ask(ids)).toEqual(unknown);
      }
    for (const path of [
      '/v1/projects',
      '/v1/sessions',
      '/v1/sessions?search=Secret',
      `/v1/sessions?projectId=${project.id}`,
      `/v1/usage?teamId=${teamId}&groupBy=project`,
      '/v1/queue',
    ]) {
      const { status, text } = await colleague.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain('Secret');
      expect(text).not.toContain(session.id);
    }
    expect((await manager.get('/v1/sessions?search=Secret').expect(200)).text).toContain(session.id);
    expect((await owner.get('/v1/sessions?search=Secret').expect(200)).text).toContain(session.id);
  });

  it('gives each member what their role says', async () => {
    await name(colleague, 'read').expect(200);
    expect(await seenBy(colleague)).toBe('read');
    await colleague.get(`/v1/sessions/${session.id}`).expect(200);
    await colleague.post(`/v1/sessions/${session.id}/turns`, { message: 'x' }).expect(403);
    await colleague.post('/v1/sessions', { projectId: project.id }).expect(403);
    await colleague.post(`/v1/sessions/${session.id}/commit`, { message: 'x' }).expect(403);
    await name(colleague, 'write').expect(200);
    await colleague.sendTurn(session.id, 'hello');
    await colleague.createSession(project.id);
    await colleague.patch(`/v1/projects/${project.id}`, { strict: true }).expect(403);
    await name(viewer, 'manage', colleague).expect(403);
    await name(colleague, 'manage').expect(200);
    await colleague.patch(`/v1/projects/${project.id}`, { strict: true }).expect(200);
    await name(viewer, 'manage', colleague).expect(200);
    expect(await seenBy(viewer)).toBe('read');
    const { text } = await owner.get(`/v1/audit?teamId=${teamId}&projectId=${project.id}`).expect(200);
    const acts = (JSON.parse(text) as Page<AuditEntry>).data.filter(({ action }) => action === 'project:member');
    expect(acts.map(({ detail }) => detail['role'])).toEqual(['manage', 'manage', 'write', 'read']);
  });

  it('names only people of its team, and keeps one who manages it', async () => {
    const outsider = await owner.invite(teamId, `gone-${project.id}@example.org`.toLowerCase(), 'member');
    await owner.delete(`/v1/teams/${teamId}/members/${outsider.user.id}`).expect(204);
    await name(outsider, 'write').expect(404);
    for (const change of [name(manager, 'write'), manager.delete(member(manager)), name(manager, 'read', owner)])
      expect((await change.expect(409)).body).toMatchObject({ code: 'CONFLICT' });
    await name(colleague, 'manage').expect(200);
    const both = await Promise.all([manager.delete(member(colleague)), colleague.delete(member(manager))]);
    expect(both.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(((await owner.get(`/v1/projects/${project.id}/members`)).body as Page<ProjectMember>).data).toHaveLength(1);
  });

  it('becomes the team’s and its members’ again, where who says so stays', async () => {
    await owner.patch(`/v1/projects/${project.id}`, { visibility: 'team' }).expect(200);
    expect(await seenBy(colleague)).toBe('write');
    expect(await seenBy(viewer)).toBe('read');
    await colleague.patch(`/v1/projects/${project.id}`, { visibility: 'members' }).expect(403);
    const changed = await owner.patch(`/v1/projects/${project.id}`, { visibility: 'members' }).expect(200);
    expect(changed.body).toMatchObject({ visibility: 'members' });
    expect(await seenBy(colleague)).toBe('PROJECT_NOT_FOUND');
    await owner.get(member(owner)).expect(200);
  });

  it('ends at once what someone has open in it, and what runs for them', async () => {
    await name(colleague, 'write').expect(200);
    const live = await colleague.live();
    await live.attach(session.id);
    const turn = await colleague.sendTurn(session.id, 'waits');
    const startedAt = performance.now();
    await manager.delete(member(colleague)).expect(204);
    await waitFor(() => live.closed.length === 1, { what: 'the session is closed', timeoutMs: 5_000 });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await colleague.get(`/v1/sessions/${session.id}`).expect(404);
    await waitFor(
      async () => {
        const { body } = await manager.get(`/v1/sessions/${session.id}/turns/${turn.id}`);
        return (body as { status: string }).status === 'cancelled';
      },
      { what: 'the queued turn is cancelled' },
    );
    live.close();
  });

  it('ends for a member who leaves the team', async () => {
    const leaver = await owner.invite(teamId, `leaver-${project.id}@example.org`.toLowerCase(), 'member');
    await name(leaver, 'write').expect(200);
    await owner.delete(`/v1/teams/${teamId}/members/${leaver.user.id}`).expect(204);
    const { data } = (await manager.get(`/v1/projects/${project.id}/members`)).body as Page<ProjectMember>;
    expect(data.map(({ userId }) => userId)).toEqual([manager.user.id]);
  });
});
