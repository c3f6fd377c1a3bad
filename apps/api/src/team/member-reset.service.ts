import { Inject, Injectable } from '@nestjs/common';
import type { ResetLink } from '@chirality/contracts';
import { UserRepository } from '@chirality/database';
import { LOG, ProblemError, type Logger } from '@chirality/platform';
import { roleIn, type Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { AuditTrail } from '../audit/audit-trail';
import { ResetLinks } from '../auth/reset-links';
import { MAILER, type Mailer } from '../core/mailer';
import { isServiceAccount, MembersService } from './members.service';

const LIFETIME_MS = 24 * 3_600_000;

/** For a member who cannot sign in: a link that sets a new password, once, which an admin passes on. */
@Injectable()
export class MemberResetService {
  constructor(
    @Inject(MAILER) private readonly mailer: Mailer,
    @Inject(LOG) private readonly log: Logger,
    private readonly members: MembersService,
    private readonly users: UserRepository,
    private readonly links: ResetLinks,
    private readonly audit: AuditTrail,
  ) {}

  async create(who: Principal, teamId: string, userId: string): Promise<ResetLink> {
    const member = await this.members.get(who, teamId, userId);
    if (member.kind === 'service') throw isServiceAccount();
    if (!(await this.mayReset(who, userId))) {
      throw new ProblemError(
        'FORBIDDEN',
        'You cannot reset this account: your role does not cover everything that it can reach. They can use “Forgot your password?” on the sign-in page.',
      );
    }
    const link = await this.links.create(userId, LIFETIME_MS);
    await this.audit.note(who, teamId, {
      action: 'member:password-reset',
      object: userId,
      detail: { email: member.email },
    });
    return {
      link,
      expiresAt: new Date(Date.now() + LIFETIME_MS).toISOString(),
      mailed: await this.mail(member.email, link),
    };
  }

  /** Who sets a password can act as that person, so they must already manage them in every team that they are in. */
  private async mayReset(who: Principal, userId: string): Promise<boolean> {
    if (userId === who.user.id) return false;
    const roles = await this.users.rolesOf(userId);
    return [...roles].every(
      ([id, role]) =>
        roleIn(who, id) !== null &&
        (role === 'owner' ? teamPolicy.manageOwners(who, { id }) : teamPolicy.manage(who, { id })),
    );
  }

  private async mail(to: string, link: string): Promise<boolean> {
    if (!this.mailer.delivers) return false;
    try {
      await this.mailer.send({
        to,
        subject: 'Set a new password for Chirality',
        text: `An admin of your team made a link with which you can set a new password. Open it within a day:\n\n${link}`,
      });
      return true;
    } catch (error) {
      this.log.warn({ err: error }, 'mail.password_reset_not_sent');
      return false;
    }
  }
}
