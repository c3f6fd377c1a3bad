import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Invitation, Page, Role } from '@chirality/contracts';
import { InvitationRepository, TeamRepository, UserRepository, type AcceptInvitationOutcome } from '@chirality/database';
import { ProblemError, type Config } from '@chirality/platform';
import { AuditTrail } from '../audit/audit-trail';
import { AttemptGuard } from '../auth/attempt-guard';
import { peerKey } from '../auth/attempt-limits';
import { tokenHash } from '../auth/password.service';
import { hashPassword } from '../auth/passwords';
import type { Principal } from '../auth/principal';
import { SignInService, type ProvenUser, type SignIn } from '../auth/sign-in.service';
import { AccessChanges } from '../event/access-changes';
import { wholePage } from '../http/json-page';
import { knownId } from '../http/known-id';
import { problems } from '../problem/problems';
import { CONFIG } from '../server/tokens';
import { teamPolicy } from './team.policy';
import { TeamsService } from './teams.service';

const LIFETIME_MS = 7 * 24 * 3_600_000;

type Acceptance = { name?: string | undefined; password: string };

@Injectable()
export class InvitationsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly teams: TeamsService,
    private readonly members: TeamRepository,
    private readonly invitations: InvitationRepository,
    private readonly users: UserRepository,
    private readonly signIn: SignInService,
    private readonly attempts: AttemptGuard,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, teamId: string): Promise<Page<Invitation>> {
    const team = await this.managedTeam(who, teamId);
    return wholePage(await this.invitations.list(team.id));
  }

  /** The token is shown this once and kept as a hash; the link has it in the fragment, which no server sees. */
  async create(who: Principal, teamId: string, { email, role }: { email: string; role: Exclude<Role, 'owner'> }): Promise<{ invitation: Invitation; token: string; link: string }> {
    const team = await this.managedTeam(who, teamId);
    const members = await this.members.listMembers(team.id);
    if (members.some((member) => member.email === email)) throw new ProblemError('CONFLICT', 'Somebody with that address is in the team already.');
    const token = randomBytes(32).toString('base64url');
    const invitation = await this.invitations.create({ teamId: team.id, email, role, invitedById: who.user.id, tokenHash: tokenHash(token), lifetimeMs: LIFETIME_MS });
    await this.audit.note(who, team.id, { action: 'invitation:create', object: invitation.id, detail: { email, role } });
    return { invitation, token, link: `${this.config.publicUrl}/invitation#${token}` };
  }

  async revoke(who: Principal, teamId: string, invitationId: string): Promise<void> {
    const team = await this.managedTeam(who, teamId);
    if (!(await this.invitations.remove(team.id, knownId('invitation', invitationId)))) throw problems.notFound('invitation');
    await this.audit.note(who, team.id, { action: 'invitation:revoke', object: invitationId });
  }

  /** Makes the account of the invited address, or has the one that it has proven by its password; then joins and signs in. */
  async accept(token: string, acceptance: Acceptance, peer: string | undefined): Promise<SignIn> {
    const giveBack = await this.attempts.take({ 'invitation:peer': peerKey(peer) });
    const hash = tokenHash(token);
    const invitation = await this.invitations.findOpen(hash);
    if (!invitation) throw gone();
    const proven = invitation.hasAccount ? await this.signIn.prove(invitation.email, acceptance.password, peer) : null;
    const outcome = proven
      ? await this.invitations.acceptAs(hash, proven.user.id)
      : await this.invitations.acceptWithNewAccount(hash, {
          name: acceptance.name ?? invitation.email.split('@', 1).join(),
          passwordHash: await hashPassword(acceptance.password),
        });
    await giveBack();
    const joined = await this.joined(outcome);
    return this.signIn.begin(proven ?? joined);
  }

  private async joined(outcome: AcceptInvitationOutcome): Promise<ProvenUser> {
    if (outcome.outcome === 'gone') throw gone();
    if (outcome.outcome === 'account_exists') throw new ProblemError('CONFLICT', 'An account for that address was made meanwhile. Open the link again and use its password.');
    this.changes.tell({ userId: outcome.userId });
    const account = await this.users.findById(outcome.userId);
    if (!account) throw gone();
    const { id, email, name, mustChangePassword, credentialsValidFrom } = account;
    await this.audit.record({ teamId: outcome.teamId, userId: id, userName: name, action: 'invitation:accept', object: id, detail: { role: outcome.role } });
    return { user: { id, email, name, mustChangePassword }, credentialsValidFrom };
  }

  private async managedTeam(who: Principal, teamId: string): Promise<{ id: string }> {
    const team = await this.teams.get(who, teamId);
    if (!teamPolicy.manage(who, team)) throw problems.forbidden('manage invitations');
    return team;
  }
}

function gone(): ProblemError {
  return new ProblemError('NOT_FOUND', 'This invitation was used, withdrawn, or is older than a week. Ask for another one.');
}
