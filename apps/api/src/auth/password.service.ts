import { Inject, Injectable } from '@nestjs/common';
import { ApiTokenRepository, PasswordResetRepository, UserRepository } from '@chirality/database';
import { LOG, ProblemError, type Logger } from '@chirality/platform';
import { AccessChanges } from '../access/access-changes';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { peerKey } from '../core/address/peer-of';
import { MAILER, type Mailer } from '../core/mailer';
import { AttemptGuard } from './attempt-guard';
import type { Client } from './client';
import { requireStrongPassword } from './new-password';
import { hashPassword, verifyPassword } from './passwords';
import { ResetLinks, tokenHash } from './reset-links';
import { SignInService, type SignIn } from './sign-in.service';

const WRONG_PASSWORD = 'The current password is wrong.';
const SAME_PASSWORD = 'This is your present password. Choose another one.';
const RESET_LIFETIME_MS = 60 * 60_000;

@Injectable()
export class PasswordService {
  private mailing: Promise<void> = Promise.resolve();

  constructor(
    @Inject(LOG) private readonly log: Logger,
    @Inject(MAILER) private readonly mailer: Mailer,
    private readonly users: UserRepository,
    private readonly resets: PasswordResetRepository,
    private readonly tokens: ApiTokenRepository,
    private readonly links: ResetLinks,
    private readonly signIn: SignInService,
    private readonly attempts: AttemptGuard,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {}

  /** Answers before anything is looked up, so that neither answer nor time says whether there is such an account. */
  async sendReset(email: string, peer: string | undefined): Promise<void> {
    const address = email.trim().toLowerCase();
    await this.attempts.take({ 'password-forgot:peer': peerKey(peer), 'password-forgot:account': address });
    this.mailing = this.mailing
      .then(() => this.mailReset(address))
      .catch((error: unknown) => this.log.error({ err: error }, 'mail.password_reset_not_sent'));
  }

  /** Sets the password of the user the link was sent to. Every earlier sign-in ends at once. */
  async reset(token: string, newPassword: string, peer: string | undefined): Promise<void> {
    const giveBack = await this.attempts.take({ 'password-reset:peer': peerKey(peer) });
    const owner = await this.resets.findOwner(tokenHash(token));
    if (!owner) throw usedUp();
    await giveBack();
    await requireStrongPassword(newPassword, owner, 'newPassword');
    const hash = await hashPassword(newPassword);
    // Who resets it may have lost the account to someone: nothing that was made with it lives on. Before, so that a
    // process that stops in between leaves the link to do it again; and after, when no sign-in makes more.
    const ended = await this.tokens.revokeOfUser(owner.id);
    const userId = await this.users.setPasswordByReset(tokenHash(token), hash);
    ended.push(...(await this.tokens.revokeOfUser(owner.id)));
    for (const { id, userId: ownerId } of ended) this.changes.tell({ userId: ownerId, familyId: id });
    if (!userId) throw usedUp();
    await this.replaced(userId, 'user:reset-password');
  }

  /** Sets a new password; every other sign-in is over, and this device gets a new one, which is answered. */
  async change(
    who: Principal,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    client: Client,
  ): Promise<SignIn> {
    const giveBack = await this.attempts.take({ 'password-change:account': who.user.id });
    const account = await this.users.findById(who.user.id);
    if (!(await verifyPassword(account?.passwordHash ?? null, currentPassword))) {
      throw new ProblemError('FORBIDDEN', WRONG_PASSWORD, {
        errors: [{ path: 'currentPassword', message: WRONG_PASSWORD }],
      });
    }
    await giveBack();
    if (currentPassword === newPassword)
      throw new ProblemError('VALIDATION_FAILED', SAME_PASSWORD, {
        errors: [{ path: 'newPassword', message: SAME_PASSWORD }],
      });
    await requireStrongPassword(newPassword, who.user, 'newPassword');
    const credentialsValidFrom = await this.users.setPassword(who.user.id, await hashPassword(newPassword));
    await this.replaced(who.user.id, 'user:change-password');
    return this.signIn.begin(
      { user: { ...who.user, mustChangePassword: false }, credentialsValidFrom },
      client,
      'password_change',
    );
  }

  private async replaced(userId: string, action: 'user:change-password' | 'user:reset-password'): Promise<void> {
    this.changes.tell({ userId });
    await this.audit.recordForPerson(userId, { action, object: userId });
  }

  private async mailReset(address: string): Promise<void> {
    const account = address.includes('\0') ? null : await this.users.findByEmail(address);
    if (!account) return;
    const link = await this.links.create(account.id, RESET_LIFETIME_MS);
    await this.mailer.send({
      to: account.email,
      subject: 'Set a new password for Chirality',
      text: `Someone requested a new password for this address. To set one, open this link within an hour:\n\n${link}\n\nIf that was not you, do nothing: the password stays as it is.`,
    });
  }
}

function usedUp(): ProblemError {
  return new ProblemError('FORBIDDEN', 'This link was already used or has expired. Ask for a new one.');
}
