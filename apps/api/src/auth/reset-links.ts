import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PasswordResetRepository } from '@chirality/database';
import { CONFIG, type Config } from '@chirality/platform';

/** The form in which single-use tokens are kept: a reader of the table cannot use them. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Makes the links that set a new password, once. The token is in the fragment, which no server log sees. */
@Injectable()
export class ResetLinks {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly resets: PasswordResetRepository,
  ) {}

  async create(userId: string, lifetimeMs: number): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.resets.create(userId, tokenHash(token), lifetimeMs);
    return `${this.config.publicUrl}/reset-password#${token}`;
  }
}
