import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PasswordResetRepository, UserRepository } from '@chirality/database';
import { ProblemError, type Config, type Logger } from '@chirality/platform';
import { AuditTrail } from '../audit/audit-trail';
import { AccessChanges } from '../event/access-changes';
import type { Mailer } from '../mail/mailer';
import { CONFIG, LOG, MAILER } from '../server/tokens';
import { AttemptGuard } from './attempt-guard';
import { peerKey } from './attempt-limits';
import { hashPassword, verifyPassword } from './passwords';
import type { Principal } from './principal';
import { SignInService, type SignIn } from './sign-in.service';

const RESET_LIFETIME_MS = 60 * 60_000;

/** The form in which single-use tokens are kept: whoever reads the table cannot use them. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

@Injectable()
export class PasswordService {
  private mailing: Promise<void> = Promise.resolve();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Logger,
    @Inject(MAILER) private readonly mailer: Mailer,
    private readonly users: UserRepository,
    private readonly resets: PasswordResetRepository,
    private readonly signIn: SignInService,
    private readonly attempts: AttemptGuard,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {}

  /** Answers before anything is looked up, so that neither answer nor time says whether there is such an account. */
  async sendReset(email: string, peer: string | undefined): Promise<void> {
    const address = email.trim().toLowerCase();
    await this.attempts.take({ 'password-forgot:peer': peerKey(peer), 'password-forgot:account': address });
    this.mailing = this.mailing.then(() => this.mailReset(address)).catch((error: unknown) => this.log.error({ err: error }, 'a password reset could not be mailed'));
  }

  /** Sets the password of whoever the link was sent to. Every sign-in of before is over, at once. */
  async reset(token: string, newPassword: string, peer: string | undefined): Promise<void> {
    const giveBack = await this.attempts.take({ 'password-reset:peer': peerKey(peer) });
    const passwordHash = await hashPassword(newPassword);
    const userId = await this.users.setPasswordByReset(tokenHash(token), passwordHash);
    if (!userId) throw new ProblemError('FORBIDDEN', 'This link was used already or is older than an hour. Ask for another one.');
    await this.replaced(userId, 'user:reset-password');
    await giveBack();
  }

  /** Sets a new password; every other sign-in is over, and this device gets a new one, which is answered. */
  async change(who: Principal, currentPassword: string, newPassword: string): Promise<SignIn> {
    const giveBack = await this.attempts.take({ 'password-change:account': who.user.id });
    const account = await this.users.findById(who.user.id);
    if (!(await verifyPassword(account?.passwordHash ?? null, currentPassword))) {
      throw new ProblemError('FORBIDDEN', 'The current password is wrong.');
    }
    if (currentPassword === newPassword) throw new ProblemError('VALIDATION_FAILED', 'The new password is the one that you have. Choose another.');
    const credentialsValidFrom = await this.users.setPassword(who.user.id, await hashPassword(newPassword));
    await this.replaced(who.user.id, 'user:change-password');
    await giveBack();
    return this.signIn.begin({ user: { ...who.user, mustChangePassword: false }, credentialsValidFrom });
  }

  /** Settles when every mail that was asked for has been handed on or given up. */
  whenMailed(): Promise<void> {
    return this.mailing;
  }

  private async replaced(userId: string, action: string): Promise<void> {
    this.changes.tell({ userId });
    await this.audit.record({ teamId: null, userId, userName: null, action, object: userId });
  }

  private async mailReset(address: string): Promise<void> {
    const account = address.includes('\0') ? null : await this.users.findByEmail(address);
    if (!account) return;
    const token = randomBytes(32).toString('base64url');
    await this.resets.create(account.id, tokenHash(token), RESET_LIFETIME_MS);
    await this.mailer.send({
      to: account.email,
      subject: 'Set a new password for Chirality',
      text: `Somebody asked for a new password for this address. To set one, open this link within an hour:\n\n${this.config.publicUrl}/reset-password#${token}\n\nIf that was not you, do nothing: the password stays as it is.`,
    });
  }
}
