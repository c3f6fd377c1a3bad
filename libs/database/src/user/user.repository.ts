import type { User } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database } from '../connection/database';
import { violatesUnique } from '../connection/database-error';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';

/** A user with what sign-in needs; never answer it to a client. */
export interface UserAccount extends User {
  passwordHash: string;
  /** Tokens issued before this moment are void. */
  credentialsValidFrom: Date;
}

export interface NewUser {
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
    try {
      const row = await this.database.prisma.user.create({
        data: { id: newId('user'), email: user.email, name: storableText(user.name), passwordHash: user.passwordHash, mustChangePassword: user.mustChangePassword ?? false },
      });
      return accountFromRow(row);
    } catch (error) {
      if (violatesUnique(error)) return null;
      throw error;
    }
  }

  async findById(userId: string): Promise<UserAccount | null> {
    const row = await this.database.prisma.user.findUnique({ where: { id: userId } });
    return row && accountFromRow(row);
  }

  async findByEmail(email: string): Promise<UserAccount | null> {
    const row = await this.database.prisma.user.findUnique({ where: { email } });
    return row && accountFromRow(row);
  }

  async count(): Promise<number> {
    return this.database.prisma.user.count();
  }

  async rename(userId: string, name: string): Promise<void> {
    await this.database.prisma.user.updateMany({ where: { id: userId }, data: { name: storableText(name) } });
  }

  /** Every token and refresh family of before is void with it, and so are unused reset links. */
  async setPassword(userId: string, passwordHash: string): Promise<void> {
    // The database's clock stamps the sign-ins that this moment is compared with.
    await inTransaction(this.database.pool, async (tx) => {
      await tx.query('UPDATE "user" SET password_hash = $2, must_change_password = false, credentials_valid_from = now() WHERE id = $1', [userId, passwordHash]);
      await tx.query('UPDATE refresh_family SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL', [userId]);
      await tx.query('UPDATE password_reset SET used_at = now() WHERE user_id = $1 AND used_at IS NULL', [userId]);
    });
  }
}

function accountFromRow(row: UserAccount): UserAccount {
  const { id, email, name, mustChangePassword, passwordHash, credentialsValidFrom } = row;
  return { id, email, name, mustChangePassword, passwordHash, credentialsValidFrom };
}
