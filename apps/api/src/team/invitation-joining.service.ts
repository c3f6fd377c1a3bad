import { Injectable } from '@nestjs/common';
import type { InvitationPreview } from '@chirality/contracts';
import {
  InvitationRepository,
  PasswordResetRepository,
  UserRepository,
  type AcceptInvitationOutcome,
} from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import { AccessChanges } from '../access/access-changes';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { AttemptGuard } from '../auth/attempt-guard';
import type { Client } from '../auth/client';
import { requireStrongPassword } from '../auth/new-password';
import { hashPassword } from '../auth/passwords';
import { tokenHash } from '../auth/reset-links';
import { SignInService, type ProvenUser, type SignIn } from '../auth/sign-in.service';
import { peerKey } from '../core/address/peer-of';

type Acceptance = { name?: string | undefined; password: string };

/** The other side of an invitation: the person who has its link. */
@Injectable()
export class InvitationJoiningService {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly users: UserRepository,
    private readonly resets: PasswordResetRepository,
    private readonly signIn: SignInService,
    private readonly attempts: AttemptGuard,
    private readonly changes: AccessChanges,
    private readonly audit: AuditTrail,
  ) {}

  /** What the link is for. Looking uses nothing up, so that programs which preview links do no harm. */
  async preview(token: string, address: string | undefined): Promise<InvitationPreview> {
    const giveBack = await this.attempts.take({ 'invitation:peer': peerKey(address) });
    const preview = await this.invitations.preview(tokenHash(token));
    if (!preview) throw gone();
    await giveBack();
    return preview;
  }

  /**
   * Makes the account of the invited address, or has the one that it has proven by its password; then joins and signs
   * in.
   */
  async accept(token: string, acceptance: Acceptance, client: Client): Promise<SignIn> {
    const giveBack = await this.attempts.take({ 'invitation:peer': peerKey(client.address ?? undefined) });
    const hash = tokenHash(token);
    const invitation = await this.invitations.findOpen(hash);
    if (!invitation) throw gone();
    await giveBack();
    const name = acceptance.name ?? invitation.email.split('@', 1).join();
    const proven = invitation.hasAccount
      ? await this.signIn.prove(invitation.email, acceptance.password, client)
      : null;
    if (!proven) await requireStrongPassword(acceptance.password, { email: invitation.email, name }, 'password');
    const outcome = proven
      ? await this.invitations.acceptAs(hash, proven.user.id)
      : await this.invitations.acceptWithNewAccount(hash, {
          name,
          passwordHash: await hashPassword(acceptance.password),
        });
    const joined = await this.joined(outcome);
    return this.signIn.begin(proven ?? joined, client, 'invitation');
  }

  /** For a user who is signed in with the invited address. */
  async join(who: Principal, token: string): Promise<void> {
    const hash = tokenHash(token);
    const invitation = await this.invitations.findOpen(hash);
    if (!invitation) throw gone();
    if (invitation.email !== who.user.email)
      throw new ProblemError(
        'CONFLICT',
        'This invitation is for another e-mail address. Sign out and open the link again.',
      );
    await this.joined(await this.invitations.acceptAs(hash, who.user.id));
  }

  private async joined(outcome: AcceptInvitationOutcome): Promise<ProvenUser> {
    if (outcome.outcome === 'gone') throw gone();
    if (outcome.outcome === 'account_exists')
      throw new ProblemError(
        'CONFLICT',
        'An account for that address has been created meanwhile. Open the link again and use its password.',
      );
    this.changes.tell({ userId: outcome.userId });
    const account = await this.users.findById(outcome.userId);
    if (!account) throw gone();
    const { id, email, name, mustChangePassword, credentialsValidFrom } = account;
    await this.audit.record({
      teamId: outcome.teamId,
      userId: id,
      userName: name,
      action: 'invitation:accept',
      object: id,
      detail: { role: outcome.role },
    });
    // An admin of another team may have made them before the account reached this team.
    await this.resets.voidOf(id);
    return { user: { id, email, name, mustChangePassword }, credentialsValidFrom };
  }
}

function gone(): ProblemError {
  return new ProblemError('NOT_FOUND', 'This invitation was used, withdrawn, or has expired. Ask for a new link.');
}
