import { newId } from '@chirality/domain';
import type { Database } from '../connection/database';

export type RotateOutcome =
  /** `generation` is the one whose token is good now; for `replayed` it is the successor that was given before. */
  | { outcome: 'rotated' | 'replayed'; userId: string; generation: number; expiresAt: Date }
  /** An old token came back after its grace: the family is revoked now. */
  | { outcome: 'reused'; userId: string }
  /** No such family, or it is over. */
  | { outcome: 'refused' };

interface FamilyRow {
  user_id: string;
  generation: number;
  expires_at: Date;
  in_grace: boolean;
}

/** One row per sign-in on one device. */
export class RefreshFamilyRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * A new sign-in at generation 0, by the password that was set at `credentialsValidFrom`. Null when the person has another
   * password by now: what was proven with the old one begins nothing. The lock makes it one or the other: whoever sets a
   * password ends the sign-ins that are there.
   */
  async create({ id: userId, credentialsValidFrom }: { id: string; credentialsValidFrom: Date }, lifetimeMs: number): Promise<{ familyId: string; generation: number; expiresAt: Date } | null> {
    const { rows } = await this.database.pool.query<{ id: string; expires_at: Date }>(
      `INSERT INTO refresh_family (id, user_id, expires_at)
       SELECT $1, u.id, now() + $4 * interval '1 millisecond' FROM "user" u WHERE u.id = $2 AND u.credentials_valid_from = $3 FOR SHARE
       RETURNING id, expires_at`,
      [newId('token'), userId, credentialsValidFrom, lifetimeMs],
    );
    const [row] = rows;
    return row ? { familyId: row.id, generation: 0, expiresAt: row.expires_at } : null;
  }

  /**
   * Moves the family on when `generation` is its present one. The one just replaced is answered with the same successor
   * for `graceMs`; any older one is a copy in foreign hands and revokes the family.
   */
  async rotate(familyId: string, generation: number, graceMs: number): Promise<RotateOutcome> {
    const valid = 'f.revoked_at IS NULL AND f.expires_at > now()';
    const moved = await this.database.pool.query<FamilyRow>(
      `UPDATE refresh_family f SET generation = generation + 1, rotated_at = now() WHERE f.id = $1 AND f.generation = $2 AND ${valid}
       RETURNING f.user_id, f.generation, f.expires_at`,
      [familyId, generation],
    );
    if (moved.rows[0]) return { outcome: 'rotated', ...familyFrom(moved.rows[0]) };
    const found = await this.database.pool.query<FamilyRow>(
      `SELECT f.user_id, f.generation, f.expires_at, f.rotated_at > now() - $2 * interval '1 millisecond' AS in_grace FROM refresh_family f WHERE f.id = $1 AND ${valid}`,
      [familyId, graceMs],
    );
    const row = found.rows[0];
    if (!row || generation > row.generation) return { outcome: 'refused' };
    if (generation === row.generation - 1 && row.in_grace) return { outcome: 'replayed', ...familyFrom(row) };
    await this.revoke(familyId);
    return { outcome: 'reused', userId: row.user_id };
  }

  async revoke(familyId: string): Promise<void> {
    await this.database.pool.query('UPDATE refresh_family SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL', [familyId]);
  }

  /** Whether that sign-in still stands. */
  async isLive(familyId: string): Promise<boolean> {
    const { rowCount } = await this.database.pool.query('SELECT 1 FROM refresh_family WHERE id = $1 AND revoked_at IS NULL AND expires_at > now()', [familyId]);
    return rowCount === 1;
  }
}

function familyFrom(row: FamilyRow): { userId: string; generation: number; expiresAt: Date } {
  return { userId: row.user_id, generation: row.generation, expiresAt: row.expires_at };
}
