import type { Database } from '../connection/database';
import type { UserRow } from '../generated/rows';

/** Reset links, known only by the hash of their token. */
export class PasswordResetRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Whose password the link sets; null for one that is unknown, used or too old. */
  async findOwner(tokenHash: string): Promise<{ id: string; email: string; name: string } | null> {
    const { rows } = await this.database.pool.query<Pick<UserRow, 'id' | 'email' | 'name'>>(
      'SELECT u.id, u.email, u.name FROM password_reset r JOIN "user" u ON u.id = r.user_id WHERE r.token_hash = $1 AND r.used_at IS NULL AND r.expires_at > now()',
      [tokenHash],
    );
    return rows[0] ?? null;
  }

  async create(userId: string, tokenHash: string, lifetimeMs: number): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO password_reset (token_hash, user_id, expires_at) VALUES ($1, $2,
        now() + $3 * interval '1 millisecond')`,
      [tokenHash, userId, lifetimeMs],
    );
  }

  /** Voids the person's unused links. */
  async voidOf(userId: string): Promise<void> {
    await this.database.pool.query('UPDATE password_reset SET used_at = now() WHERE user_id = $1 AND used_at IS NULL', [
      userId,
    ]);
  }

  /** The same for every present member of the team. */
  async voidInTeam(teamId: string): Promise<void> {
    await this.database.pool.query(
      'UPDATE password_reset SET used_at = now() WHERE used_at IS NULL AND user_id IN (SELECT user_id FROM membership WHERE team_id = $1)',
      [teamId],
    );
  }
}
