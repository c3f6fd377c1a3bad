import type { Role, User } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { columnsOf } from '../connection/columns-of';
import { violatesUnique } from '../connection/database-error';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { PasswordResetRow, UserRow } from '../generated/rows';
import { VOID_TRIGGERS_SQL } from '../schedule/void-triggers.sql';

/** A user with what sign-in needs; never answer it to a client. */
interface UserAccount extends User {
  passwordHash: string;
  /** When the password was set, by the database's clock; no two passwords of a person have the same. */
  credentialsValidFrom: Date;
}

interface NewUser {
  /** Lower case already. */
  email: string;
  name: string;
  passwordHash: string;
  mustChangePassword?: boolean;
}

export class UserRepository {
  constructor(private readonly database: Pick<Database, 'prisma' | 'pool'>) {}

  /** Null when the address is taken. */
  async create(user: NewUser): Promise<UserAccount | null> {
    const { id, email, name, passwordHash, mustChangePassword = false } = { id: newId('user'), ...user };
    const { rows } = await this.database.pool.query<UserAccount>(
      `INSERT INTO "user" (id, email, name, password_hash, must_change_password) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (email) DO NOTHING RETURNING ${columnsOf('User')}`,
      [id, email, storableText(name), passwordHash, mustChangePassword],
    );
    return rows[0] ? accountFromRow(rows[0]) : null;
  }

  async findById(userId: string): Promise<UserAccount | null> {
    const row = await this.database.prisma.user.findUnique({ where: { id: userId } });
    return row && accountFromRow(row);
  }

  /** People only: no one signs in to a service account. */
  async findByEmail(email: string): Promise<UserAccount | null> {
    const row = await this.database.prisma.user.findUnique({ where: { email, isService: false } });
    return row && accountFromRow(row);
  }

  async count(): Promise<number> {
    return this.database.prisma.user.count();
  }

  /**
   * What is not named stays; unused reset links of an earlier address are void. `taken`: the address is another
   * account's.
   */
  async update(userId: string, { name, email }: { name?: string; email?: string }): Promise<'done' | 'taken'> {
    try {
      await inTransaction(this.database.pool, async (tx) => {
        await tx.query('UPDATE "user" SET name = coalesce($2, name), email = coalesce($3, email) WHERE id = $1', [
          userId,
          name === undefined ? null : storableText(name),
          email ?? null,
        ]);
        if (email !== undefined)
          await tx.query('UPDATE password_reset SET used_at = now() WHERE user_id = $1 AND used_at IS NULL', [userId]);
      });
      return 'done';
    } catch (error) {
      if (violatesUnique(error, 'user_email_key')) return 'taken';
      throw error;
    }
  }

  /** The person's role by team, in all of their teams. */
  async rolesOf(userId: string): Promise<Map<string, Role>> {
    const memberships = await this.database.prisma.membership.findMany({
      where: { userId },
      select: { teamId: true, role: true },
    });
    return new Map(memberships.map(({ teamId, role }) => [teamId, role]));
  }

  /** Every sign-in of before is over with it, and so are unused reset links. Answers when it was set. */
  setPassword(userId: string, passwordHash: string): Promise<Date> {
    return inTransaction(this.database.pool, (tx) => setPassword(tx, userId, passwordHash));
  }

  /**
   * The same by a reset link, which is used up with it, all or nothing: of any number of calls one gets the user, the
   * others null.
   */
  async setPasswordByReset(tokenHash: string, passwordHash: string): Promise<string | null> {
    return inTransaction(this.database.pool, async (tx) => {
      // The person comes before their links, as with any other new password.
      const found = await tx.query<Pick<PasswordResetRow, 'user_id'>>(
        'SELECT user_id FROM password_reset WHERE token_hash = $1',
        [tokenHash],
      );
      const userId = found.rows[0]?.user_id;
      if (userId === undefined) return null;
      await tx.query('SELECT 1 FROM "user" WHERE id = $1 FOR NO KEY UPDATE', [userId]);
      const used = await tx.query(
        'UPDATE password_reset SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL AND expires_at > now()',
        [tokenHash],
      );
      if (used.rowCount === 0) return null;
      await setPassword(tx, userId, passwordHash);
      await tx.query(VOID_TRIGGERS_SQL, [userId, null]);
      return userId;
    });
  }
}

async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<Date> {
  const { rows } = await tx.query<Pick<UserRow, 'credentials_valid_from'>>(
    `UPDATE "user" SET password_hash = $2, must_change_password = false, credentials_valid_from = greatest(now(),
      credentials_valid_from + interval '1 millisecond')
     WHERE id = $1 RETURNING credentials_valid_from`,
    [userId, passwordHash],
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no person ${userId}`);
  await tx.query('UPDATE refresh_family SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL', [userId]);
  await tx.query('UPDATE password_reset SET used_at = now() WHERE user_id = $1 AND used_at IS NULL', [userId]);
  return row.credentials_valid_from;
}

function accountFromRow(row: UserAccount): UserAccount {
  const { id, email, name, mustChangePassword, passwordHash, credentialsValidFrom } = row;
  return { id, email, name, mustChangePassword, passwordHash, credentialsValidFrom };
}
