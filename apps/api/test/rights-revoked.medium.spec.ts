import type { Session, Turn } from '@chirality/contracts';
import { RIGHTS_ENDED } from '@chirality/domain';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('taking rights away from a user whose turn waits', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let teamId: string;
  let projectId: string;
  let people = 0;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    teamId = (await owner.team()).id;
    projectId = (await owner.createProject()).id;
  });
  afterAll(() => api.stop());

  const waiting = async () => {
    people += 1;
    const who = await owner.invite(teamId, `person-${people}@example.org`, 'member');
    const session = await owner.createSession(projectId, { visibility: 'project' });
    return { who, session, turn: await who.sendTurn(session.id) };
  };
  const now = async (session: Session, turn: Turn) =>
    (await owner.get(`/v1/sessions/${session.id}/turns/${turn.id}`).expect(200)).body as Turn;

  it.each([
    [
      'making them a viewer',
      ({ who }: Awaited<ReturnType<typeof waiting>>) =>
        owner.patch(`/v1/teams/${teamId}/members/${who.user.id}`, { role: 'viewer' }).expect(200),
    ],
    [
      'removing them',
      ({ who }: Awaited<ReturnType<typeof waiting>>) =>
        owner.delete(`/v1/teams/${teamId}/members/${who.user.id}`).expect(204),
    ],
    [
      'letting others only read the session',
      ({ session }: Awaited<ReturnType<typeof waiting>>) =>
        owner.patch(`/v1/sessions/${session.id}`, { visibility: 'project_read' }).expect(200),
    ],
    [
      'making the session private',
      ({ session }: Awaited<ReturnType<typeof waiting>>) =>
        owner.patch(`/v1/sessions/${session.id}`, { visibility: 'private' }).expect(200),
    ],
  ])('by %s cancels it at once with the reason, and no turn of others', async (_how, act) => {
    const [theirs, others] = [await waiting(), await waiting()];
    await act(theirs);
    expect(await now(theirs.session, theirs.turn)).toMatchObject({ status: 'cancelled', error: RIGHTS_ENDED });
    expect((await owner.get(`/v1/sessions/${theirs.session.id}`).expect(200)).body).toMatchObject({
      status: 'idle',
      activeTurnId: null,
    });
    expect(await now(others.session, others.turn)).toMatchObject({ status: 'queued' });
    await owner.post(`/v1/sessions/${others.session.id}/interrupt`).expect(202);
    expect([403, 404]).toContain(
      (await theirs.who.post(`/v1/sessions/${theirs.session.id}/turns`, { message: 'more' })).status,
    );
  });

  it('is not done by a change that leaves them the right', async () => {
    const { who, session, turn } = await waiting();
    await owner.patch(`/v1/teams/${teamId}/members/${who.user.id}`, { role: 'admin' }).expect(200);
    await owner.patch(`/v1/sessions/${session.id}`, { title: 'Another name' }).expect(200);
    expect(await now(session, turn)).toMatchObject({ status: 'queued' });
  });
});
