import { newId } from '@chirality/domain';
import { buildUser, buildWorld, startTestDatabase, waitFor, type TestDatabase } from '@chirality/testing';
import { RefreshFamilyRepository } from '../user/refresh-family.repository';
import { ApiTokenRepository } from './api-token.repository';

const HOUR_MS = 3_600_000;

describe('a token that is made while its maker is revoked', () => {
  let database: TestDatabase;
  let tokens: ApiTokenRepository;
  let families: RefreshFamilyRepository;

  beforeAll(async () => {
    database = await startTestDatabase();
    tokens = new ApiTokenRepository(database);
    families = new RefreshFamilyRepository(database);
  }, 60_000);
  afterAll(() => database.close());

  async function person() {
    const { team } = await buildWorld(database.pool);
    const { id: userId } = await buildUser(database.pool, { teamId: team.id });
    const { rows } = await database.pool.query<{ id: string; credentialsValidFrom: Date }>(
      'SELECT id, credentials_valid_from AS "credentialsValidFrom" FROM "user" WHERE id = $1',
      [userId],
    );
    const family = await families.create(rows[0]!, HOUR_MS);
    const familyId = family?.familyId ?? '';
    const make = (made: { tokenId: string } | { familyId: string } = { familyId }, id = newId('token')) => {
      const maker = 'familyId' in made ? { ...made, userId } : made;
      return tokens.create({
        ...{ id, teamId: team.id, userId, maker, name: 'CI', secretHash: id, identityClass: 'agent' },
        ...{ claims: { ver: 1, criticalClaims: [] }, mayMint: true, notBefore: null },
        expiresAt: new Date(Date.now() + HOUR_MS),
      });
    };
    return { userId, familyId, make };
  }
  const waiting = async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted',
    );
    return rows[0]?.count ?? 0;
  };
  const isInForce = async (id: string) => (await tokens.findById(id))?.isRevoked === false;

  /** Holds the row of the person, so that what inserts a token of theirs stops in the middle of it. */
  async function whileHeld(userId: string, act: (release: () => Promise<void>) => Promise<void>): Promise<void> {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM "user" WHERE id = $1 FOR UPDATE', [userId]);
      await act(async () => void (await client.query('COMMIT')));
    } finally {
      client.release();
    }
  }

  it('is revoked with it where it came first, and so is what it makes', async () => {
    const { userId, make } = await person();
    const maker = await make();
    const childId = newId('token');
    await whileHeld(userId, async (release) => {
      const child = make({ tokenId: maker!.id }, childId);
      await waitFor(async () => (await waiting()) === 1, { what: 'the child is half made' });
      const revoked = tokens.revoke(maker!.id);
      await waitFor(async () => (await waiting()) === 2, { what: 'the revocation waits for it' });
      await release();
      await child;
      expect((await revoked).map(({ id }) => id).sort()).toEqual([maker!.id, childId].sort());
    });
    expect(await isInForce(childId)).toBe(false);
    expect(await make({ tokenId: childId })).toBeNull();
  });

  it('is not made where the revocation came first, however far down', async () => {
    const { make } = await person();
    const maker = await make();
    const child = await make({ tokenId: maker!.id });
    await tokens.revoke(maker!.id);
    for (const tokenId of [maker!.id, child!.id]) expect(await make({ tokenId })).toBeNull();
  });

  it('is not made by a sign-in that has ended, or in the name of another person', async () => {
    const [mine, theirs] = [await person(), await person()];
    expect(await mine.make({ familyId: theirs.familyId })).toBeNull();
    const token = await theirs.make();
    expect(await mine.make({ tokenId: token!.id })).toBeNull();
    await families.revoke(mine.familyId);
    expect(await mine.make()).toBeNull();
  });

  it('is not made by a person who has left or looks on by now', async () => {
    const { userId, make } = await person();
    const maker = await make();
    await database.pool.query(`UPDATE membership SET role = 'viewer' WHERE user_id = $1`, [userId]);
    expect([await make(), await make({ tokenId: maker!.id })]).toEqual([null, null]);
    await database.pool.query('DELETE FROM membership WHERE user_id = $1', [userId]);
    expect(await make()).toBeNull();
  });

  it('ends with the person’s other tokens when their password is reset meanwhile', async () => {
    const { userId, make } = await person();
    const id = newId('token');
    await whileHeld(userId, async (release) => {
      const made = make(undefined, id);
      await waitFor(async () => (await waiting()) === 1, { what: 'it is half made' });
      const revoked = tokens.revokeOfUser(userId);
      await waitFor(async () => (await waiting()) === 2, { what: 'the revocation waits for it' });
      await release();
      await Promise.all([made, revoked]);
    });
    expect(await isInForce(id)).toBe(false);
  });
});
