import type {
  AuditEntry,
  Belongings,
  Device,
  Invitation,
  InvitationPreview,
  Member,
  Page,
  ResetLink,
  Session,
  Team,
} from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
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
  const setRole = (who: ApiClient, userId: string, role: string) =>
    who.patch(`/v1/teams/${team.id}/members/${userId}`, { role });
  const accept = (token: string, body: object) => request(api.url).post(`/v1/invitations/${token}/accept`).send(body);

  it('renames it and sets its time zone', async () => {
    const response = await owner
      .patch(`/v1/teams/${team.id}`, { name: ' Payments ', timezone: 'Europe/Berlin' })
      .expect(200);
    expect(response.body).toMatchObject({ name: 'Payments', timezone: 'Europe/Berlin', role: 'owner' });
    await owner.patch(`/v1/teams/${team.id}`, { timezone: 'Mars/Olympus' }).expect(400);
    await owner.patch(`/v1/teams/${team.id}`, { name: '' }).expect(400);
  });

  it('invites by a link that works once, has its token in the fragment, and can be taken back', async () => {
    const made = (
      await owner.post(`/v1/teams/${team.id}/invitations`, { email: ' New@Example.org', role: 'viewer' }).expect(201)
    ).body as { invitation: Invitation; token: string; link: string };
    expect(made.link).toBe(`http://127.0.0.1:0/invitation#${made.token}`);
    expect(made.invitation).toMatchObject({ email: 'new@example.org', role: 'viewer', acceptedAt: null });
    const listed = await owner.get(`/v1/teams/${team.id}/invitations`).expect(200);
    expect(listed.text).not.toContain(made.token);
    await accept(made.token, { password: 'short' }).expect(400);
    const joined = await accept(made.token, { name: 'New', password: 'a good password' }).expect(200);
    const person = new ApiClient(api.url).adopt(joined);
    expect((await person.team()).role).toBe('viewer');
    expect((await accept(made.token, { password: 'a good password' }).expect(404)).body).toMatchObject({
      code: 'NOT_FOUND',
    });
    await owner.post(`/v1/teams/${team.id}/invitations`, { email: 'new@example.org', role: 'admin' }).expect(409);

    const withdrawn = (await owner.post(`/v1/teams/${team.id}/invitations`, { email: 'never@example.org' }).expect(201))
      .body as { invitation: Invitation; token: string };
    await owner.delete(`/v1/teams/${team.id}/invitations/${withdrawn.invitation.id}`).expect(204);
    await accept(withdrawn.token, { password: 'a good password' }).expect(404);
  });

  it('voids invitations whose inviter may no longer invite', async () => {
    const owner = await api.client.login();
    const team = await owner.team();
    const invitedBy = async (who: ApiClient, email: string) =>
      (
        (await who.post(`/v1/teams/${team.id}/invitations`, { email, role: 'admin' }).expect(201)).body as {
          token: string;
        }
      ).token;
    const [removed, demoted] = await Promise.all(
      ['removed-admin@example.org', 'demoted-admin@example.org'].map((email) => owner.invite(team.id, email, 'admin')),
    );
    const doors = [
      await invitedBy(removed as ApiClient, 'back-1@example.org'),
      await invitedBy(demoted as ApiClient, 'back-2@example.org'),
    ];
    await owner.delete(`/v1/teams/${team.id}/members/${removed?.user.id}`).expect(204);
    await owner.patch(`/v1/teams/${team.id}/members/${demoted?.user.id}`, { role: 'member' }).expect(200);
    for (const door of doors) await accept(door, { password: 'a password of mine' }).expect(404);
    expect((await owner.get(`/v1/teams/${team.id}/invitations`).expect(200)).text).not.toContain('back-');
  });

  it('finds what was denied to a person of two teams in the log of the team whose project it was about', async () => {
    const person = await owner.invite(team.id, 'twice@example.org', 'viewer');
    const other = (await owner.post('/v1/teams', { name: 'Twice' }).expect(201)).body as Team;
    const { token } = (
      await owner.post(`/v1/teams/${other.id}/invitations`, { email: 'twice@example.org', role: 'viewer' }).expect(201)
    ).body as { token: string };
    await accept(token, { password: passwordOf('twice@example.org') }).expect(200);
    const project = await owner.createProject('Denied', other.id);
    await person.patch(`/v1/projects/${project.id}`, { name: 'Mine' }).expect(403);
    const denied = async (teamId: string) =>
      (
        (await owner.get(`/v1/audit?teamId=${teamId}&action=act:deny&userId=${person.user.id}`).expect(200))
          .body as Page<AuditEntry>
      ).data.map(({ object }) => object);
    await waitFor(async () => (await denied(other.id)).length > 0, { what: 'the denied act is recorded' });
    expect([await denied(other.id), await denied(team.id)]).toEqual([[project.id], []]);
  });

  it('lets a user with an account join by its password alone', async () => {
    const person = await owner.invite(team.id, 'both@example.org', 'member');
    const other = (await owner.post('/v1/teams', { name: 'Other' }).expect(201)).body as Team;
    const { token } = (
      await owner.post(`/v1/teams/${other.id}/invitations`, { email: 'both@example.org', role: 'admin' }).expect(201)
    ).body as { token: string };
    await accept(token, { password: 'another password' }).expect(401);
    await accept(token, { password: passwordOf('both@example.org') }).expect(200);
    expect(
      ((await person.get('/v1/teams').expect(200)).body as Page<Team>).data.map(({ id, role }) => [id, role]),
    ).toEqual([
      [team.id, 'member'],
      [other.id, 'admin'],
    ]);
    const unclear = await person.get('/v1/usage').expect(400);
    expect(unclear.body).toMatchObject({ detail: expect.stringContaining('teamId') as string });
    await person.get(`/v1/usage?teamId=${other.id}`).expect(200);
  });

  it('shows what a link is for without using it up, and what has become of it', async () => {
    const made = (
      await owner.post(`/v1/teams/${team.id}/invitations`, { email: 'preview@example.org', role: 'viewer' }).expect(201)
    ).body as { invitation: Invitation; token: string; mailed: boolean };
    expect(made.mailed).toBe(false);
    const preview = (token: string) => request(api.url).post('/v1/invitations/preview').send({ token });
    for (let n = 0; n < 3; n++) {
      const seen = (await preview(made.token).expect(200)).body as InvitationPreview;
      expect(seen).toMatchObject({
        state: 'open',
        email: 'preview@example.org',
        role: 'viewer',
        hasAccount: false,
        inviterName: 'Owner',
        teamName: (await owner.team()).name,
      });
    }
    const renewed = (await owner.post(`/v1/teams/${team.id}/invitations/${made.invitation.id}/link`).expect(201))
      .body as typeof made;
    expect(renewed.invitation.id).toBe(made.invitation.id);
    await preview(made.token).expect(404);
    await accept(made.token, { password: 'a good password' }).expect(404);
    await accept(renewed.token, { password: 'a good password' }).expect(200);
    expect((await preview(renewed.token).expect(200)).body).toMatchObject({ state: 'used', hasAccount: true });
    await owner.post(`/v1/teams/${team.id}/invitations/${made.invitation.id}/link`).expect(404);
    await preview('made-up').expect(404);
    await api.services[0]?.database.pool.query(
      `UPDATE invitation SET accepted_at = NULL, expires_at = now() - interval '1 hour' WHERE id = $1`,
      [made.invitation.id],
    );
    expect((await preview(renewed.token).expect(200)).body).toMatchObject({ state: 'expired' });
  });

  it('lets only the invited person join while signed in', async () => {
    const person = await owner.invite(team.id, 'joiner@example.org', 'member');
    const other = (await owner.post('/v1/teams', { name: 'Joined' }).expect(201)).body as Team;
    const { token } = (
      await owner.post(`/v1/teams/${other.id}/invitations`, { email: 'Joiner@Example.org', role: 'member' }).expect(201)
    ).body as { token: string };
    await owner.post('/v1/invitations/join', { token }).expect(409);
    await person.post('/v1/invitations/join', { token }).expect(204);
    await person.post('/v1/invitations/join', { token }).expect(404);
    const project = await person.createProject('In the second team', other.id);
    expect(project.teamId).toBe(other.id);
    await person.createProject('In the first team', team.id);
  });

  it('resets the password of a member whom one manages everywhere, by a link that works once', async () => {
    const email = 'locked@example.org';
    const locked = await owner.invite(team.id, email, 'member');
    const admin = await owner.invite(team.id, 'resetting-admin@example.org', 'admin');
    const reset = (who: ApiClient, userId: string) => who.post(`/v1/teams/${team.id}/members/${userId}/password-reset`);
    await reset(locked, admin.user.id).expect(403);
    await reset(admin, owner.user.id).expect(403);
    await reset(admin, admin.user.id).expect(403);
    const { link } = (await reset(admin, locked.user.id).expect(201)).body as ResetLink;
    const token = new URL(link).hash.slice(1);
    const set = (newPassword: string) => request(api.url).post('/v1/auth/password/reset').send({ token, newPassword });
    await set('locked@example.org').expect(400);
    await set('a brand new password').expect(204);
    await set('another brand new one').expect(403);
    await locked.get('/v1/me').expect(401);
    await new ApiClient(api.url).login({ email, password: 'a brand new password' });
    const elsewhere = await new ApiClient(api.url).login({ email, password: 'a brand new password' });
    await elsewhere.post('/v1/teams', { name: 'Their own' }).expect(201);
    expect((await reset(admin, locked.user.id).expect(403)).text).not.toContain('Their own');
  });

  it('hands the sessions of a removed member over, or archives the private ones', async () => {
    const leaver = async (name: string) => {
      const person = await owner.invite(team.id, `${name}@example.org`, 'member');
      const project = await person.createProject(name, team.id);
      const hidden = await person.createSession(project.id, { visibility: 'private', title: `Private of ${name}` });
      const shared = await person.createSession(project.id, { visibility: 'project', title: `Shared of ${name}` });
      const path = `/v1/teams/${team.id}/members/${person.user.id}`;
      expect((await owner.get(`${path}/belongings`).expect(200)).body).toEqual({
        privateSessions: 1,
        sharedSessions: 1,
        hasOwnKey: false,
        privateSessionsWithWork: 0,
      } satisfies Belongings);
      return { person, hidden, shared, path };
    };
    const heir = await owner.invite(team.id, 'heir@example.org', 'member');
    const onlooker = await owner.invite(team.id, 'onlooker@example.org', 'viewer');
    const first = await leaver('handing');
    await owner.delete(`${first.path}?handTo=${onlooker.user.id}`).expect(400);
    await owner.delete(`${first.path}?handTo=unknown`).expect(400);
    await first.person.get(`/v1/teams/${team.id}`).expect(200);
    await heir.get(`/v1/sessions/${first.hidden.id}`).expect(404);
    await owner.delete(`${first.path}?handTo=${heir.user.id}`).expect(204);
    for (const { id } of [first.hidden, first.shared])
      expect((await heir.get(`/v1/sessions/${id}`).expect(200)).body).toMatchObject({
        ownerId: heir.user.id,
      } satisfies Partial<Session>);

    const second = await leaver('leaving');
    await owner.delete(second.path).expect(204);
    await owner.get(`/v1/sessions/${second.hidden.id}`).expect(404);
    const { rows } = (await api.services[0]?.database.pool.query<{ archived: boolean }>(
      'SELECT archived_at IS NOT NULL AS archived FROM session WHERE id = $1',
      [second.hidden.id],
    )) ?? { rows: [] };
    expect(rows).toEqual([{ archived: true }]);
    expect((await owner.get(`/v1/sessions/${second.shared.id}`).expect(200)).body).toMatchObject({ status: 'idle' });
    const removed = (
      (await owner.get(`/v1/audit?teamId=${team.id}&action=member:remove`).expect(200)).body as Page<AuditEntry>
    ).data;
    expect(
      removed.map(({ detail }) => [detail['name'], detail['handedTo'], detail['archivedSessions']]).slice(0, 2),
    ).toEqual([
      ['leaving', null, 1],
      ['handing', heir.user.id, 0],
    ]);
  });

  it('lets people change their name, with the password their address, and end sign-ins elsewhere', async () => {
    const email = 'profile@example.org';
    const here = await owner.invite(team.id, email, 'member');
    const there = await new ApiClient(api.url).login({ email, password: passwordOf(email) });
    expect((await here.patch('/v1/me', { name: ' Pro File ' }).expect(200)).body).toMatchObject({
      name: 'Pro File',
      email,
    });
    expect((await here.patch('/v1/me', { email: 'New-Address@example.org' }).expect(403)).body).toMatchObject({
      errors: [{ path: 'currentPassword' }],
    });
    expect(
      (await here.patch('/v1/me', { email: owner.user.email, currentPassword: passwordOf(email) }).expect(409)).body,
    ).toMatchObject({ errors: [{ path: 'email' }] });
    await here.patch('/v1/me', { email: 'New-Address@example.org', currentPassword: passwordOf(email) }).expect(200);
    await new ApiClient(api.url).login({ email: 'new-address@example.org', password: passwordOf(email) });
    const devices = ((await here.get('/v1/me/devices').expect(200)).body as Page<Device>).data;
    expect(devices.map(({ current }) => current).filter(Boolean)).toHaveLength(1);
    expect(devices).toHaveLength(3);
    const { familyId } = api.tokens().verify(there.token ?? '');
    await owner.delete(`/v1/me/devices/${familyId}`).expect(404);
    await here.delete(`/v1/me/devices/${familyId}`).expect(204);
    await there.get('/v1/me').expect(401);
    await here.delete('/v1/me/devices').expect(204);
    expect(((await here.get('/v1/me/devices').expect(200)).body as Page<Device>).data).toHaveLength(1);
  });

  it('exports its audit log as a file, filtered as the page is', async () => {
    const csv = await owner.get(`/v1/audit/export?teamId=${team.id}&format=csv&action=invitation:create`).expect(200);
    expect(csv.headers['content-disposition']).toBe('attachment; filename="audit.csv"');
    const lines = csv.text.trim().split('\r\n');
    expect(lines[0]).toBe('id,at,user_id,user_name,action,object,detail');
    const json = JSON.parse(
      (await owner.get(`/v1/audit/export?teamId=${team.id}&format=json&action=invitation:create`).expect(200)).text,
    ) as AuditEntry[];
    expect(lines).toHaveLength(json.length + 1);
    expect(new Set(json.map(({ action }) => action))).toEqual(new Set(['invitation:create']));
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(
      JSON.parse((await owner.get(`/v1/audit/export?teamId=${team.id}&format=json&from=${later}`).expect(200)).text),
    ).toEqual([]);
    await owner.get(`/v1/audit?teamId=${team.id}&action=everything`).expect(400);
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
    expect((await setRole(admin, member.user.id, 'viewer').expect(200)).body).toMatchObject({
      userId: member.user.id,
      role: 'viewer',
    });
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
