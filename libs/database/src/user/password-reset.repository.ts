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
}
