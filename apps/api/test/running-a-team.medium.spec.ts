import type { Invitation, Member, Page, Team } from '@chirality/contracts';
import request from 'supertest';
import { ApiClient, passwordOf } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

describe('running a team', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let team: Team;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    team = await owner.team();
  });
  afterAll(() => api.stop());

  const members = async () => ((await owner.get(`/v1/teams/${team.id}/members`).expect(200)).body as Page<Member>).data;
  const setRole = (who: ApiClient, userId: string, role: string) => who.patch(`/v1/teams/${team.id}/members/${userId}`, { role });
  const accept = (token: string, body: object) => request(api.url).post(`/v1/invitations/${token}/accept`).send(body);

  it('renames it and sets its time zone', async () => {
    const response = await owner.patch(`/v1/teams/${team.id}`, { name: ' Payments ', timezone: 'Europe/Berlin' }).expect(200);
    expect(response.body).toMatchObject({ name: 'Payments', timezone: 'Europe/Berlin', role: 'owner' });
    await owner.patch(`/v1/teams/${team.id}`, { timezone: 'Mars/Olympus' }).expect(400);
    await owner.patch(`/v1/teams/${team.id}`, { name: '' }).expect(400);
  });

  it('invites by a link that works once, has its token in the fragment, and can be taken back', async () => {
    const made = (await owner.post(`/v1/teams/${team.id}/invitations`, { email: ' New@Example.org', role: 'viewer' }).expect(201)).body as { invitation: Invitation; token: string; link: string };
    expect(made.link).toBe(`http://127.0.0.1:0/invitation#${made.token}`);
    expect(made.invitation).toMatchObject({ email: 'new@example.org', role: 'viewer', acceptedAt: null });
    const listed = await owner.get(`/v1/teams/${team.id}/invitations`).expect(200);
    expect(listed.text).not.toContain(made.token);
    await accept(made.token, { password: 'short' }).expect(400);
    const joined = await accept(made.token, { name: 'New', password: 'a good password' }).expect(200);
    const person = new ApiClient(api.url).adopt(joined);
    expect((await person.team()).role).toBe('viewer');
    expect((await accept(made.token, { password: 'a good password' }).expect(404)).body).toMatchObject({ code: 'NOT_FOUND' });
    await owner.post(`/v1/teams/${team.id}/invitations`, { email: 'new@example.org', role: 'admin' }).expect(409);

    const withdrawn = (await owner.post(`/v1/teams/${team.id}/invitations`, { email: 'never@example.org' }).expect(201)).body as { invitation: Invitation; token: string };
    await owner.delete(`/v1/teams/${team.id}/invitations/${withdrawn.invitation.id}`).expect(204);
    await accept(withdrawn.token, { password: 'a good password' }).expect(404);
  });

  it('leaves no door open behind who may not invite any more', async () => {
    const owner = await api.client.login();
    const team = await owner.team();
    const invitedBy = async (who: ApiClient, email: string) => ((await who.post(`/v1/teams/${team.id}/invitations`, { email, role: 'admin' }).expect(201)).body as { token: string }).token;
    const [removed, demoted] = await Promise.all(['removed-admin@example.org', 'demoted-admin@example.org'].map((email) => owner.invite(team.id, email, 'admin')));
    const doors = [await invitedBy(removed as ApiClient, 'back-1@example.org'), await invitedBy(demoted as ApiClient, 'back-2@example.org')];
    await owner.delete(`/v1/teams/${team.id}/members/${removed?.user.id}`).expect(204);
    await owner.patch(`/v1/teams/${team.id}/members/${demoted?.user.id}`, { role: 'member' }).expect(200);
    for (const door of doors) await accept(door, { password: 'a password of mine' }).expect(404);
    expect((await owner.get(`/v1/teams/${team.id}/invitations`).expect(200)).text).not.toContain('back-');
  });

  it('lets somebody with an account join by its password alone', async () => {
    const person = await owner.invite(team.id, 'both@example.org', 'member');
    const other = (await owner.post('/v1/teams', { name: 'Other' }).expect(201)).body as Team;
    const { token } = (await owner.post(`/v1/teams/${other.id}/invitations`, { email: 'both@example.org', role: 'admin' }).expect(201)).body as { token: string };
    await accept(token, { password: 'another password' }).expect(401);
    await accept(token, { password: passwordOf('both@example.org') }).expect(200);
    expect(((await person.get('/v1/teams').expect(200)).body as Page<Team>).data.map(({ id, role }) => [id, role])).toEqual([[team.id, 'member'], [other.id, 'admin']]);
    const unclear = await person.get('/v1/usage').expect(400);
    expect(unclear.body).toMatchObject({ detail: expect.stringContaining('teamId') as string });
    await person.get(`/v1/usage?teamId=${other.id}`).expect(200);
  });

  it('gives and takes roles, at once; admins touch no owners, and one owner stays', async () => {
    const admin = await owner.invite(team.id, 'admin@example.org', 'admin');
    const member = await owner.invite(team.id, 'plain@example.org', 'member');
    await setRole(member, admin.user.id, 'viewer').expect(403);
    await setRole(admin, owner.user.id, 'member').expect(403);
    await setRole(admin, member.user.id, 'owner').expect(403);
    await admin.delete(`/v1/teams/${team.id}/members/${owner.user.id}`).expect(403);
    expect((await setRole(owner, owner.user.id, 'admin').expect(409)).body).toMatchObject({ code: 'CONFLICT' });
    await owner.delete(`/v1/teams/${team.id}/members/${owner.user.id}`).expect(409);
    expect((await setRole(admin, member.user.id, 'viewer').expect(200)).body).toMatchObject({ userId: member.user.id, role: 'viewer' });
    await member.post('/v1/projects', { name: 'x' }).expect(403);
    await setRole(owner, member.user.id, 'owner').expect(200);
    await member.patch(`/v1/teams/${team.id}/members/${owner.user.id}`, { role: 'admin' }).expect(200);
    await setRole(owner, member.user.id, 'viewer').expect(403);
    await setRole(member, owner.user.id, 'owner').expect(200);
    await member.delete(`/v1/teams/${team.id}/members/${member.user.id}`).expect(204);
    await member.get(`/v1/teams/${team.id}`).expect(404);
    expect((await members()).map(({ userId }) => userId)).not.toContain(member.user.id);
  });
});
