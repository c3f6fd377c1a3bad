import type { ProjectWork, UnpushedWork } from '@chirality/contracts';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

const RECORDED = {
  files: 2,
  names: ['a.ts', '日本語.md'],
  commits: [{ commit: 'c1', parents: ['base'], subject: 'a commit' }],
  commitCount: 1,
  stashes: 0,
};

describe('what a session or a project would take along', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let projectId: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    member = await owner.invite((await owner.team()).id, 'mo@example.org', 'member');
    projectId = (await owner.createProject('Shop')).id;
  });
  afterAll(() => api.stop());

  const record = (sessionId: string, recorded: object | null) =>
    api.worker.database.pool.query(
      `UPDATE session SET state_version = 1, state_key = 'sessions/' || id || '/0/00/state.json', unpushed = $2::json,
         unpushed_at = now() WHERE id = $1`,
      [sessionId, recorded && JSON.stringify(recorded)],
    );
  const workOf = async (who: ApiClient, sessionId: string) =>
    (await who.get(`/v1/sessions/${sessionId}/unpushed-work`).expect(200)).body as UnpushedWork;

  it('is named by session, with files and commits, and is unknown where no one looked', async () => {
    const [untouched, dirty, older] = [
      await owner.createSession(projectId, { title: 'Untouched' }),
      await owner.createSession(projectId, { title: 'Dirty', visibility: 'project_read' }),
      await owner.createSession(projectId, { title: 'Older' }),
    ];
    await record(dirty.id, RECORDED);
    await record(older.id, null);
    expect(await workOf(owner, untouched.id)).toMatchObject({ state: 'known', files: { count: 0 }, at: null });
    expect(await workOf(member, dirty.id)).toEqual({
      state: 'known',
      reason: null,
      files: { count: 2, names: RECORDED.names },
      commits: { count: 1, atLeast: false, latest: [{ commit: 'c1', subject: 'a commit' }] },
      stashes: 0,
      at: expect.any(String) as string,
    });
    expect(await workOf(owner, older.id)).toMatchObject({ state: 'unknown', reason: 'not_recorded', files: null });
    const ofProject = async (who: ApiClient) =>
      (await who.get(`/v1/projects/${projectId}/unpushed-work`).expect(200)).body as ProjectWork;
    const [seen, seenByMember] = [await ofProject(owner), await ofProject(member)];
    expect([seen.sessions.map(({ title }) => title).sort(), seen.hidden]).toEqual([['Dirty', 'Older'], 0]);
    expect([seenByMember.sessions.map(({ title }) => title), seenByMember.hidden]).toEqual([['Dirty'], 1]);
  });

  it('is counted before a member is removed whose private sessions no one else can open', async () => {
    const session = await member.createSession(projectId);
    await record(session.id, RECORDED);
    const teamId = (await owner.team()).id;
    expect(
      (await owner.get(`/v1/teams/${teamId}/members/${member.user.id}/belongings`).expect(200)).body,
    ).toMatchObject({ privateSessions: 1, privateSessionsWithWork: 1 });
  });

  it('says of a session that its files are not stored, and why', async () => {
    const session = await owner.createSession(projectId);
    await api.worker.database.pool.query(
      `UPDATE session SET unstored_since = now(), unstored_reason = 'failed' WHERE id = $1`,
      [session.id],
    );
    expect((await owner.get(`/v1/sessions/${session.id}`).expect(200)).body).toMatchObject({
      unstored: { since: expect.any(String) as string, reason: 'failed' },
    });
    expect(await workOf(owner, session.id)).toMatchObject({ state: 'unknown', reason: 'not_stored' });
  });
});
