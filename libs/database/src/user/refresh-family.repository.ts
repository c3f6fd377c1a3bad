import { newId } from '@chirality/domain';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { RefreshFamilyRow } from '../generated/rows';

type RotateOutcome =
  /** `generation` is the one whose token is good now; for `replayed` it is the successor that was given before. */
  | { outcome: 'rotated' | 'replayed'; userId: string; generation: number; expiresAt: Date }
  /** A token came back after its successor had been used: the family is revoked now. */
  | { outcome: 'reused'; userId: string }
  /** No such family, or it is over. */
  | { outcome: 'refused' };

/** Where a sign-in was made, as the client and its connection say. */
interface SignInPlace {
  userAgent: string | null;
  address: string | null;
}

/** A sign-in that stands, as its owner sees it in a list. */
interface SignedInDevice extends SignInPlace {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
}

type MovedRow = Pick<RefreshFamilyRow, 'user_id' | 'generation' | 'expires_at'>;
type DeviceRow = Pick<RefreshFamilyRow, 'id' | 'user_agent' | 'address' | 'created_at' | 'rotated_at'>;

const IS_LIVE = 'f.revoked_at IS NULL AND f.expires_at > now()';

/** One row per sign-in on one device. */
export class RefreshFamilyRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * A new sign-in at generation 0, by the password that was set at `credentialsValidFrom`. Null when the person has
   * another password by now: what was proven with the old one begins nothing. The lock orders the two: setting a
   * password ends the sign-ins that exist.
   */
  async create(
    { id: userId, credentialsValidFrom }: { id: string; credentialsValidFrom: Date },
    lifetimeMs: number,
    { userAgent, address }: SignInPlace = { userAgent: null, address: null },
  ): Promise<{ familyId: string; generation: number; expiresAt: Date } | null> {
    const { rows } = await this.database.pool.query<Pick<RefreshFamilyRow, 'id' | 'expires_at'>>(
      `INSERT INTO refresh_family (id, user_id, expires_at, user_agent, address)
       SELECT $1, u.id, now() + $4 * interval '1 millisecond', $5, $6 FROM "user" u WHERE u.id = $2
         AND u.credentials_valid_from = $3 FOR SHARE
       RETURNING id, expires_at`,
      [
        newId('token'),
        userId,
        credentialsValidFrom,
        lifetimeMs,
        userAgent === null ? null : storableText(userAgent),
        address,
      ],
    );
    const [row] = rows;
    return row ? { familyId: row.id, generation: 0, expiresAt: row.expires_at } : null;
  }

  /**
   * Moves the family on when `generation` is its current one. The one just replaced is answered with the same successor
   * for `graceMs`, and for as long as nothing shows that its successor arrived: an answer can be lost, and the client
   * then has only the old token. Any other old token is a copy in foreign hands and revokes the family.
   */
  async rotate(
    familyId: string,
    generation: number,
    graceMs: number,
    address: string | null = null,
  ): Promise<RotateOutcome> {
    const moved = await this.database.pool.query<MovedRow>(
      `UPDATE refresh_family f SET generation = generation + 1, confirmed_generation = greatest(confirmed_generation,
        generation), rotated_at = now(), address = coalesce($3, address)
       WHERE f.id = $1 AND f.generation = $2 AND ${IS_LIVE} RETURNING f.user_id, f.generation, f.expires_at`,
      [familyId, generation, address],
    );
    if (moved.rows[0]) return { outcome: 'rotated', ...familyFrom(moved.rows[0]) };
    const found = await this.database.pool.query<MovedRow & { in_grace: boolean; is_confirmed: boolean }>(
      `SELECT f.user_id, f.generation, f.expires_at, f.rotated_at > now() - $2 * interval '1 millisecond' AS in_grace,
        f.confirmed_generation >= f.generation AS is_confirmed
       FROM refresh_family f WHERE f.id = $1 AND ${IS_LIVE}`,
      [familyId, graceMs],
    );
    const row = found.rows[0];
    if (!row || generation > row.generation) return { outcome: 'refused' };
    if (generation === row.generation - 1 && (row.in_grace || !row.is_confirmed))
      return { outcome: 'replayed', ...familyFrom(row) };
    await this.revoke(familyId);
    return { outcome: 'reused', userId: row.user_id };
  }

  /** Something issued with the token of that generation was used: the client that renewed has its answer. */
  async confirm(familyId: string, generation: number): Promise<void> {
    await this.database.pool.query(
      'UPDATE refresh_family SET confirmed_generation = $2 WHERE id = $1 AND confirmed_generation < $2',
      [familyId, generation],
    );
  }

  /** The person whose sign-in it was; null where there was none to end. */
  async revoke(familyId: string): Promise<string | null> {
    const { rows } = await this.database.pool.query<Pick<RefreshFamilyRow, 'user_id'>>(
      'UPDATE refresh_family SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING user_id',
      [familyId],
    );
    return rows[0]?.user_id ?? null;
  }

  /** False when the person has no such sign-in. */
  async revokeOf(userId: string, familyId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `UPDATE refresh_family f SET revoked_at = now() WHERE f.id = $2 AND f.user_id = $1 AND ${IS_LIVE}`,
      [userId, familyId],
    );
    return rowCount === 1;
  }

  /** Ends every sign-in of the person but one. Answers those that were ended. */
  async revokeOthers(userId: string, exceptFamilyId: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<Pick<RefreshFamilyRow, 'id'>>(
      `UPDATE refresh_family f SET revoked_at = now() WHERE f.user_id = $1 AND f.id <> $2
        AND ${IS_LIVE} RETURNING f.id`,
      [userId, exceptFamilyId],
    );
    return rows.map(({ id }) => id);
  }

  /** The sign-ins of a person that stand, last used first. */
  async listOf(userId: string): Promise<SignedInDevice[]> {
    const { rows } = await this.database.pool.query<DeviceRow>(
      `SELECT f.id, f.user_agent, f.address, f.created_at, f.rotated_at FROM refresh_family f WHERE f.user_id = $1
        AND ${IS_LIVE} ORDER BY f.rotated_at DESC, f.id`,
      [userId],
    );
    return rows.map((row) => ({
      id: row.id,
      userAgent: row.user_agent,
      address: row.address,
      createdAt: row.created_at,
      lastUsedAt: row.rotated_at,
    }));
  }

  /** Where the person has signed in from before, also with sign-ins that have ended since. */
  async addressesOf(userId: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ address: NonNullable<RefreshFamilyRow['address']> }>(
      'SELECT DISTINCT address FROM refresh_family WHERE user_id = $1 AND address IS NOT NULL',
      [userId],
    );
    return rows.map(({ address }) => address);
  }

  /** Whether that sign-in still stands. */
  async isLive(familyId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      'SELECT 1 FROM refresh_family WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()',
      [familyId],
    );
    return rowCount === 1;
  }
}

function familyFrom(row: MovedRow): { userId: string; generation: number; expiresAt: Date } {
  return { userId: row.user_id, generation: row.generation, expiresAt: row.expires_at };
}
