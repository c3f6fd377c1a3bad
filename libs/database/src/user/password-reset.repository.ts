import type { Database } from '../connection/database';

/** Reset links, known only by the hash of their token. */
export class PasswordResetRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async create(userId: string, tokenHash: string, lifetimeMs: number): Promise<void> {
    await this.database.pool.query(`INSERT INTO password_reset (token_hash, user_id, expires_at) VALUES ($1, $2, now() + $3 * interval '1 millisecond')`, [
      tokenHash,
      userId,
      lifetimeMs,
    ]);
  }

  /** Whose link it is, once: of any number of calls one gets the user, the others null. */
  async use(tokenHash: string): Promise<string | null> {
    const { rows } = await this.database.pool.query<{ user_id: string }>(
      'UPDATE password_reset SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL AND expires_at > now() RETURNING user_id',
      [tokenHash],
    );
    return rows[0]?.user_id ?? null;
  }
}
