import { buildUser, buildWorld, startTestDatabase, type TestDatabase } from '@chirality/testing';
import { AuditRepository } from '../audit/audit.repository';
import { PresenceRepository } from '../presence/presence.repository';
import { PriceRepository } from '../price/price.repository';
import { PasswordResetRepository } from '../user/password-reset.repository';
import { RefreshFamilyRepository } from '../user/refresh-family.repository';
import { UserRepository } from '../user/user.repository';
import { InvitationRepository } from './invitation.repository';
import { TeamRepository } from './team.repository';

const HOUR_MS = 3_600_000;
const GRACE_MS = 30_000;

describe('people and their teams', () => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof buildWorld>>;

  beforeAll(async () => {
    database = await startTestDatabase({ poolSize: 20 });
  }, 60_000);
  afterAll(() => database.close());
  beforeEach(async () => {
    world = await buildWorld(database.pool);
  });

  test('an address is taken once, also by twenty at once', async () => {
    const users = new UserRepository(database);
    const email = `${world.owner.id.toLowerCase()}+new@example.test`;
    const made = await Promise.all(
      Array.from({ length: 20 }, () =>
        users.create({ email, name: 'N\u0000', passwordHash: 'x', mustChangePassword: true }),
      ),
    );
    const accounts = made.filter((account) => account !== null);
    expect(accounts).toHaveLength(1);
    expect(await users.findByEmail(email)).toEqual(accounts[0]);
    expect(accounts[0]).toMatchObject({ name: 'N␀', mustChangePassword: true });
  });

  test('a refresh token is good once; its copy within the grace gives the same successor, later it ends the sign-in', async () => {
    const { families, begin } = signIns();
    const { familyId } = await begin();
    const tabs = await Promise.all(Array.from({ length: 10 }, () => families.rotate(familyId, 0, GRACE_MS)));
    expect(tabs.filter(({ outcome }) => outcome === 'rotated')).toHaveLength(1);
    for (const tab of tabs) expect(tab).toMatchObject({ userId: world.owner.id, generation: 1 });
    expect(await families.rotate(familyId, 1, GRACE_MS)).toMatchObject({ outcome: 'rotated', generation: 2 });
    expect(await families.rotate(familyId, 7, GRACE_MS)).toEqual({ outcome: 'refused' });
    expect(await families.isLive(familyId)).toBe(true);
    expect(await families.rotate(familyId, 0, GRACE_MS)).toEqual({ outcome: 'reused', userId: world.owner.id });
    expect(await families.rotate(familyId, 2, GRACE_MS)).toEqual({ outcome: 'refused' });
    expect(await families.isLive(familyId)).toBe(false);

    const late = await begin();
    await families.rotate(late.familyId, 0, GRACE_MS);
    // Nothing shows that the first answer arrived: the same one is given again, however late.
    expect(await families.rotate(late.familyId, 0, 0)).toMatchObject({ outcome: 'replayed', generation: 1 });
    await families.confirm(late.familyId, 1);
    expect(await families.rotate(late.familyId, 0, 0)).toMatchObject({ outcome: 'reused' });
    expect(await families.rotate((await begin(-1)).familyId, 0, GRACE_MS)).toEqual({ outcome: 'refused' });
  });

  /** Sign-ins of the owner, by the password that they have when it begins. */
  function signIns() {
    const families = new RefreshFamilyRepository(database);
    const begin = async (lifetimeMs = HOUR_MS) => {
      const account = await new UserRepository(database).findById(world.owner.id);
      const family = account && (await families.create(account, lifetimeMs));
      if (!family) throw new Error('no sign-in was begun');
      return family;
    };
    return { families, begin };
  }

  test('links of one person that are used at once set one password', async () => {
    const users = new UserRepository(database);
    const resets = new PasswordResetRepository(database);
    const links = Array.from({ length: 8 }, (_, n) => `${world.owner.id}-${n}`);
    for (const link of links) await resets.create(world.owner.id, link, HOUR_MS);
    const set = await Promise.all(links.map((link) => users.setPasswordByReset(link, link)));
    expect(set.filter((userId) => userId !== null)).toEqual([world.owner.id]);
  });

  test('a password that was proven begins no sign-in once another one is set, however the two meet', async () => {
    const users = new UserRepository(database);
    const { families } = signIns();
    for (let round = 0; round < 20; round++) {
      const account = await users.findById(world.owner.id);
      if (!account) throw new Error('there is no owner');
      const begun = await Promise.all([
        families.create(account, HOUR_MS),
        families.create(account, HOUR_MS),
        users.setPassword(world.owner.id, `hash ${round}`),
        families.create(account, HOUR_MS),
      ]);
      for (const family of begun)
        if (family && 'familyId' in family) expect(await families.isLive(family.familyId)).toBe(false);
      expect(await families.create(account, HOUR_MS)).toBeNull();
    }
  });

  test('a new password ends every sign-in and every reset link of before', async () => {
    const users = new UserRepository(database);
    const { families, begin } = signIns();
    const resets = new PasswordResetRepository(database);
    const { familyId } = await begin();
    await resets.create(world.owner.id, `${world.owner.id}1`, HOUR_MS);
    await resets.create(world.owner.id, `${world.owner.id}2`, HOUR_MS);
    const before = await users.findById(world.owner.id);
    const uses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => users.setPasswordByReset(`${world.owner.id}1`, `hash ${n}`)),
    );
    expect(uses.filter((userId) => userId === world.owner.id)).toHaveLength(1);
    expect(await families.rotate(familyId, 0, GRACE_MS)).toEqual({ outcome: 'refused' });
    expect(await users.setPasswordByReset(`${world.owner.id}2`, 'by another link')).toBeNull();
    await users.setPassword(world.owner.id, 'new hash');
    const after = await users.findById(world.owner.id);
    expect(after?.passwordHash).toBe('new hash');
    expect(after?.credentialsValidFrom.getTime()).toBeGreaterThan(before?.credentialsValidFrom.getTime() ?? Infinity);
    expect((await families.rotate((await begin()).familyId, 0, GRACE_MS)).outcome).toBe('rotated');
  });

  test('a team never loses its last owner, also when two leave at once', async () => {
    const teams = new TeamRepository(database);
    expect(await teams.removeMember(world.team.id, world.owner.id)).toBe('last_owner');
    expect(await teams.changeRole(world.team.id, world.owner.id, 'admin')).toBe('last_owner');
    const second = await buildUser(database.pool, { teamId: world.team.id, role: 'member' });
    expect(await teams.changeRole(world.team.id, second.id, 'owner')).toBe('done');
    const left = await Promise.all([
      teams.removeMember(world.team.id, world.owner.id),
      teams.changeRole(world.team.id, second.id, 'viewer'),
    ]);
    expect(left.sort()).toEqual(['done', 'last_owner']);
    const outsider = await buildUser(database.pool);
    expect(await teams.changeRole(world.team.id, outsider.id, 'admin')).toBe('not_found');
    expect(await teams.findForUser(world.team.id, outsider.id)).toBeNull();
  });

  test('an invitation is accepted once, and not by an account that is made twice', async () => {
    const invitations = new InvitationRepository(database);
    const invite = (email: string, tokenHash: string, lifetimeMs = HOUR_MS) =>
      invitations.create({
        teamId: world.team.id,
        email,
        role: 'member',
        invitedById: world.owner.id,
        tokenHash,
        lifetimeMs,
      });
    const email = `${world.team.id.toLowerCase()}@example.test`;
    const hash = (n: number) => `${world.team.id}${n}`;
    const invitation = await invite(email, hash(1));
    expect(await invitations.findOpen(hash(1))).toMatchObject({
      id: invitation.id,
      teamName: 'Team',
      role: 'member',
      hasAccount: false,
    });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => invitations.acceptWithNewAccount(hash(1), { name: 'New', passwordHash: 'x' })),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'gone')).toHaveLength(9);

    await invite(email, hash(2));
    expect(await invitations.acceptWithNewAccount(hash(2), { name: 'Again', passwordHash: 'x' })).toEqual({
      outcome: 'account_exists',
    });
    expect(await invitations.findOpen(hash(2))).toMatchObject({ hasAccount: true });
    expect(await invitations.acceptAs(hash(2), world.owner.id)).toMatchObject({ outcome: 'accepted', role: 'owner' });

    await invite(email, hash(3), -1);
    expect(await invitations.findOpen(hash(3))).toBeNull();
    const withdrawn = await invite(email, hash(4));
    const other = await buildWorld(database.pool);
    expect(await invitations.remove(other.team.id, withdrawn.id)).toBe(false);
    expect(await invitations.remove(world.team.id, withdrawn.id)).toBe(true);
    expect(await invitations.acceptAs(hash(4), world.owner.id)).toEqual({ outcome: 'gone' });
  });

  test('presence shows people, not clients, and forgets who stops renewing', async () => {
    const presence = new PresenceRepository(database);
    const put = (clientId: string, userId: string, leaseMs: number, typingUntil: Date | null = null) =>
      presence.put(
        {
          clientId: `${world.session.id}${clientId}`,
          sessionId: world.session.id,
          userId,
          userName: userId,
          human: true,
          typingUntil,
        },
        leaseMs,
      );
    await put('1', 'a', HOUR_MS);
    await put('2', 'a', HOUR_MS, new Date(Date.now() + HOUR_MS));
    await put('3', 'b', HOUR_MS);
    await put('4', 'c', -1);
    expect((await presence.peopleOf([world.session.id])).get(world.session.id)).toEqual([
      { userId: 'a', name: 'a', typing: true },
      { userId: 'b', name: 'b', typing: false },
    ]);
    await presence.remove([1, 2, 3, 4].map((n) => `${world.session.id}${n}`));
    expect((await presence.peopleOf([world.session.id])).size).toBe(0);
  });

  test('a user who has the app open anywhere and may answer in a session is present for it', async () => {
    const presence = new PresenceRepository(database);
    const other = await buildWorld(database.pool);
    const put = (userId: string, sessionId: string | null, leaseMs = HOUR_MS, human = true) =>
      presence.put(
        { clientId: `${userId}${sessionId ?? ''}`, sessionId, userId, userName: 'x', human, typingUntil: null },
        leaseMs,
      );
    const count = () => presence.countAnswerers(world.session.id);
    const { id } = world.owner;
    await put(other.owner.id, world.session.id);
    expect(await count()).toBe(0);
    await put(id, null, -1);
    expect(await count()).toBe(0);
    await presence.renew([id], HOUR_MS);
    expect(await count()).toBe(1);
    await put(id, world.session.id);
    expect(await count()).toBe(1);
    await presence.remove([id, `${id}${world.session.id}`]);
    await put(id, null, HOUR_MS, false);
    expect(await count()).toBe(0);
    await presence.remove([id]);
    await put(id, other.session.id);
    expect(await count()).toBe(1);
    await database.pool.query("UPDATE membership SET role = 'viewer' WHERE user_id = $1 AND team_id = $2", [
      id,
      world.team.id,
    ]);
    expect(await count()).toBe(0);
  });

  test('the audit log lists latest first, for its team only', async () => {
    const audit = new AuditRepository(database);
    for (let index = 0; index < 5; index++) {
      await audit.record({
        teamId: world.team.id,
        userId: world.owner.id,
        userName: 'Owner',
        action: 'session:create',
        object: `sess_${index}`,
        detail: { index },
      });
    }
    const first = await audit.list(world.team.id, { limit: 3 });
    const second = await audit.list(world.team.id, { limit: 3, cursor: first.nextCursor ?? '' });
    expect([...first.data, ...second.data].map(({ detail }) => detail['index'])).toEqual([4, 3, 2, 1, 0]);
    expect((await audit.list((await buildWorld(database.pool)).team.id, { limit: 10 })).data).toEqual([]);
  });

  test('prices are dated rows; what is there is kept by a start and replaced by a person', async () => {
    const prices = new PriceRepository(database);
    const price = {
      model: world.team.id,
      effectiveFrom: '2026-01-01T00:00:00.000Z',
      input: '3',
      output: '15',
      cacheRead: '0.3',
      cacheWrite5m: '3.75',
      cacheWrite1h: '6',
      webSearch: '0.01',
    };
    await prices.addMissing([price]);
    await Promise.all([prices.addMissing([{ ...price, input: '4' }]), prices.addMissing([{ ...price, input: '5' }])]);
    const own = async () => (await prices.list()).filter(({ model }) => model === world.team.id);
    expect(await own()).toEqual([price]);
    const later = { ...price, effectiveFrom: '2026-06-01T00:00:00.000Z', input: '2.5' };
    await prices.put([{ ...price, input: '3.0000000001' }, later]);
    expect(await own()).toEqual([{ ...price, input: '3.0000000001' }, later]);
  });
});
