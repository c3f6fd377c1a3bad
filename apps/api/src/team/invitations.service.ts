import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { CreatedInvitation, Invitation, Page, Role, Team } from '@chirality/contracts';
import { InvitationRepository, TeamRepository } from '@chirality/database';
import { CONFIG, LOG, ProblemError, type Config, type Logger } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';
import { AuditTrail } from '../audit/audit-trail';
import { tokenHash } from '../auth/reset-links';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { MAILER, type Mailer } from '../core/mailer';
import { problems } from '../core/problem/problems';
import { TeamsService } from './teams.service';

const LIFETIME_MS = 7 * 24 * 3_600_000;

@Injectable()
export class InvitationsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Logger,
    @Inject(MAILER) private readonly mailer: Mailer,
    private readonly teams: TeamsService,
    private readonly members: TeamRepository,
    private readonly invitations: InvitationRepository,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, teamId: string): Promise<Page<Invitation>> {
    const team = await this.managedTeam(who, teamId);
    return wholePage(await this.invitations.list(team.id));
  }

  /** The token is shown this once and kept as a hash; the link has it in the fragment, which no server sees. */
  async create(
    who: Principal,
    teamId: string,
    { email, role }: { email: string; role: Exclude<Role, 'owner'> },
  ): Promise<CreatedInvitation> {
    const team = await this.managedTeam(who, teamId);
    const members = await this.members.listMembers(team.id);
    if (members.some((member) => member.email === email))
      throw new ProblemError('CONFLICT', 'A member with that address is already in the team.', {
        errors: [{ path: 'email', message: 'This person is already in the team.' }],
      });
    const token = newToken();
    const invitation = await this.invitations.create({
      teamId: team.id,
      email,
      role,
      invitedById: who.user.id,
      tokenHash: tokenHash(token),
      lifetimeMs: LIFETIME_MS,
    });
    await this.audit.note(who, team.id, {
      action: 'invitation:create',
      object: invitation.id,
      detail: { email, role },
    });
    return this.passOn(who, team, invitation, token);
  }

  /** Another link for the same invitation, good for another week; the earlier one is void. */
  async renew(who: Principal, teamId: string, invitationId: string): Promise<CreatedInvitation> {
    const team = await this.managedTeam(who, teamId);
    const token = newToken();
    const invitation = await this.invitations.renew(team.id, knownId('invitation', invitationId), {
      tokenHash: tokenHash(token),
      invitedById: who.user.id,
      lifetimeMs: LIFETIME_MS,
    });
    if (!invitation) throw problems.notFound('invitation');
    await this.audit.note(who, team.id, {
      action: 'invitation:link',
      object: invitation.id,
      detail: { email: invitation.email },
    });
    return this.passOn(who, team, invitation, token);
  }

  async revoke(who: Principal, teamId: string, invitationId: string): Promise<void> {
    const team = await this.managedTeam(who, teamId);
    if (!(await this.invitations.remove(team.id, knownId('invitation', invitationId))))
      throw problems.notFound('invitation');
    await this.audit.note(who, team.id, { action: 'invitation:revoke', object: invitationId });
  }

  private async passOn(who: Principal, team: Team, invitation: Invitation, token: string): Promise<CreatedInvitation> {
    const link = `${this.config.publicUrl}/invitation#${token}`;
    return { invitation, token, link, mailed: await this.mail(who, team, invitation.email, link) };
  }

  /** A mail that cannot be sent is no reason to fail: the inviter has the link and sees that it was not mailed. */
  private async mail(who: Principal, team: Team, to: string, link: string): Promise<boolean> {
    if (!this.mailer.delivers) return false;
    const teamName = singleLine(team.name);
    try {
      await this.mailer.send({
        to,
        subject: `Join ${teamName} on Chirality`,
        text: `${singleLine(who.user.name)} invited you to the team ${teamName} on Chirality. To join, open this link within a week:\n\n${link}`,
      });
      return true;
    } catch (error) {
      this.log.warn({ err: error }, 'mail.invitation_not_sent');
      return false;
    }
  }

  private async managedTeam(who: Principal, teamId: string): Promise<Team> {
    const team = await this.teams.get(who, teamId);
    if (!teamPolicy.manage(who, team)) throw problems.forbidden('manage invitations', team.id);
    return team;
  }
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
