import type { Project, Session, WorkspaceJob, WorkspaceReply } from '@chirality/contracts';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

let api: ApiHarness;
let owner: ApiClient;
/** What the worker, which is this test, answers to its next job. */
let reply: (job: WorkspaceJob) => Promise<WorkspaceReply>;
let serving: { close(): Promise<void> };
const jobs: WorkspaceJob[] = [];

beforeAll(async () => {
  api = await ApiHarness.start();
  owner = await api.client.login();
  serving = api.worker.messaging.serveWorkspaceJobs(api.worker.id, (job) => {
    jobs.push(job);
    return reply(job);
  });
});
afterAll(async () => {
  await serving.close();
  await api.stop();
});
beforeEach(() => jobs.splice(0));

describe('looking into a session’s workspace', () => {
  let session: Session;

  beforeAll(async () => {
    session = await owner.createSession((await owner.createProject()).id);
  });

  const path = (rest: string) => `/v1/sessions/${session.id}/${rest}`;

  it('is the worker’s to do: files, content, diff and commit', async () => {
    const entries = [{ path: 'a b.ts', kind: 'file' as const, size: 3 }];
    const list = { data: entries, nextCursor: '1/a b.ts', total: 3, left: 2 };
    reply = async () => ({ act: 'list-files', list });
    expect((await owner.get(path('files?path=src&cursor=1/a')).expect(200)).body).toEqual(list);
    const found = { ...list, nextCursor: null, atLeast: true };
    reply = async () => ({ act: 'list-files', list: found });
    expect((await owner.get(path('files?find=a%20b')).expect(200)).body).toEqual(found);
    const file = { path: 'a', size: 1, encoding: 'utf8' as const, content: 'x', truncated: false };
    reply = async () => ({ act: 'read-file', file });
    expect((await owner.get(path('files/content?path=a')).expect(200)).body).toEqual(file);
    const diff = {
      base: 'main',
      head: 'main',
      branch: 'b',
      files: [],
      nextCursor: null,
      totals: { files: 0, additions: 0, deletions: 0, atLeast: false },
      patch: '',
      truncated: false,
      nested: [],
      skipped: [],
    };
    reply = async () => ({ act: 'diff', diff });
    expect((await owner.get(path('diff')).expect(200)).body).toEqual(diff);
    const patch = { path: 'a', patch: '@@', next: 5 };
    reply = async () => ({ act: 'file-patch', patch });
    expect((await owner.get(path('diff/file?path=a&scope=uncommitted&from=2')).expect(200)).body).toEqual(patch);
    const commits = { data: [], nextCursor: null, total: 0 };
    reply = async () => ({ act: 'list-commits', commits });
    expect((await owner.get(path('commits?cursor=50')).expect(200)).body).toEqual(commits);
    reply = async () => ({ act: 'commit', commit: 'abc' });
    expect((await owner.post(path('commit'), { message: 'Say why' }).expect(200)).body).toEqual({ commit: 'abc' });
    expect(jobs).toEqual([
      { act: 'list-files', sessionId: session.id, path: 'src', cursor: '1/a' },
      { act: 'list-files', sessionId: session.id, path: '', find: 'a b' },
      { act: 'read-file', sessionId: session.id, path: 'a' },
      { act: 'diff', sessionId: session.id, query: { scope: 'session' } },
      { act: 'file-patch', sessionId: session.id, query: { path: 'a', scope: 'uncommitted', from: 2 } },
      { act: 'list-commits', sessionId: session.id, skip: 50 },
      {
        act: 'commit',
        sessionId: session.id,
        message: 'Say why',
        author: { name: 'Owner', email: `${owner.user.id.toLowerCase()}@users.chirality.local` },
      },
    ]);
  });

  it.each<[WorkspaceReply & { act: 'refused' }, number]>([
    [{ act: 'refused', code: 'NOT_FOUND', detail: 'There is no such file.' }, 404],
    [{ act: 'refused', code: 'VALIDATION_FAILED', detail: 'The path leads out.' }, 400],
    [{ act: 'refused', code: 'TURN_IN_PROGRESS', detail: 'A turn runs.' }, 409],
    [{ act: 'refused', code: 'WORKSPACE_UNAVAILABLE', detail: 'It is being rebuilt.' }, 503],
  ])('passes a refusal on: %j', async (refusal, status) => {
    reply = async () => refusal;
    expect((await owner.get(path('files')).expect(status)).body).toMatchObject({
      code: refusal.code,
      detail: refusal.detail,
    });
  });

  it('is WORKSPACE_UNAVAILABLE when the worker does not answer, when none lives, and without Redis', async () => {
    let answerLate: () => void = () => undefined;
    reply = () =>
      new Promise(
        (resolve) =>
          (answerLate = () => resolve({ act: 'list-files', list: { data: [], nextCursor: null, total: 0, left: 0 } })),
      );
    expect((await owner.get(path('files')).expect(503)).body).toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' });
    answerLate();
    await api.worker.workers.markStopped(api.worker.id);
    expect((await owner.get(path('diff')).expect(503)).body).toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' });
    await api.worker.register();
    await api.redis.goDown();
    expect((await owner.get(path('files')).expect(503)).body).toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' });
    await api.redis.comeUp();
    await api.worker.messaging.whenConnected();
  });
});

describe('looking into a project', () => {
  let outsider: ApiClient;
  let project: Project;

  beforeAll(async () => {
    project = await owner.createProject();
    const founder = await owner.invite((await owner.team()).id, 'founder@example.org', 'member');
    const { id } = (await founder.post('/v1/teams', { name: 'Elsewhere' }).expect(201)).body as { id: string };
    outsider = await founder.invite(id, 'outsider@example.org', 'admin');
  });

  const path = (rest: string) => `/v1/projects/${project.id}/${rest}`;
  const list = {
    data: [{ path: 'a b.ts', kind: 'file' as const, size: 3 }],
    nextCursor: '1/a b.ts',
    total: 3,
    left: 2,
    commit: { commit: 'c'.repeat(40), at: '2026-03-04T05:06:07.000Z' },
  };
  const file = { path: 'a', size: 1, encoding: 'utf8' as const, content: 'x', truncated: false };

  it('is the worker’s to do, and everyone’s in the team', async () => {
    const viewer = await owner.invite((await owner.team()).id, 'viewer@example.org', 'viewer');
    reply = async () => ({ act: 'list-project-files', list });
    expect((await viewer.get(path('files?path=src&cursor=1/a')).expect(200)).body).toEqual(list);
    expect((await viewer.get(path('files?find=a')).expect(200)).body).toEqual(list);
    reply = async () => ({ act: 'read-project-file', file });
    expect((await viewer.get(path('files/content?path=a')).expect(200)).body).toEqual(file);
    expect(jobs).toEqual([
      { act: 'list-project-files', projectId: project.id, path: 'src', cursor: '1/a' },
      { act: 'list-project-files', projectId: project.id, path: '', find: 'a' },
      { act: 'read-project-file', projectId: project.id, path: 'a' },
    ]);
  });

  it('asks no worker about a project of another team, an archived one, and a query that cannot be', async () => {
    const archived = await owner.createProject('Archived');
    await owner.delete(`/v1/projects/${archived.id}`).expect(204);
    for (const rest of ['files', 'files/content?path=a']) {
      const refused = await outsider.get(path(rest)).expect(404);
      expect(refused.body).toMatchObject({ code: 'PROJECT_NOT_FOUND' });
      await owner.get(`/v1/projects/${archived.id}/${rest}`).expect(404);
    }
    for (const rest of [
      'files/content',
      'files/content?path=',
      `files?path=${'x'.repeat(4_097)}`,
      `files?cursor=${'x'.repeat(1_001)}`,
      'files?find=',
      `files?find=${'x'.repeat(256)}`,
      'files?find=a&cursor=1/a',
    ])
      expect((await owner.get(path(rest)).expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(jobs).toEqual([]);
  });

  it.each<[WorkspaceReply & { act: 'refused' }, number]>([
    [{ act: 'refused', code: 'NOT_FOUND', detail: 'There is no such file.' }, 404],
    [{ act: 'refused', code: 'VALIDATION_FAILED', detail: 'The path leads out.' }, 400],
    [{ act: 'refused', code: 'PROJECT_NOT_READY', detail: 'It is being fetched.' }, 409],
    [{ act: 'refused', code: 'WORKSPACE_UNAVAILABLE', detail: 'It is being built.' }, 503],
  ])('passes a refusal on: %j', async (refusal, status) => {
    reply = async () => refusal;
    for (const rest of ['files', 'files/content?path=a'])
      expect((await owner.get(path(rest)).expect(status)).body).toMatchObject({
        code: refusal.code,
        detail: refusal.detail,
      });
  });

  it('is WORKSPACE_UNAVAILABLE when no worker lives', async () => {
    await api.worker.workers.markStopped(api.worker.id);
    for (const rest of ['files', 'files/content?path=a'])
      expect((await owner.get(path(rest)).expect(503)).body).toMatchObject({
        code: 'WORKSPACE_UNAVAILABLE',
        detail: expect.stringContaining('No worker is running') as string,
      });
  });
});
