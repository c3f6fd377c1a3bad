import type { Invitation, Role } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { violatesUnique } from '../connection/database-error';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { InvitationModel } from '../generated/models';

export type AcceptInvitationOutcome =
  | { outcome: 'accepted'; teamId: string; userId: string; role: Role }
  /** Unknown, used, withdrawn or expired: one answer for all. */
  | { outcome: 'gone' }
  /** Somebody has an account with the invited address: they have to sign in to accept. */
  | { outcome: 'account_exists' };

/** An open invitation as the page behind the link shows it. */
export interface OpenInvitation {
  id: string;
  teamId: string;
  teamName: string;
  email: string;
  role: Role;
  hasAccount: boolean;
}

export class InvitationRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  async create(invitation: { teamId: string; email: string; role: Role; invitedById: string; tokenHash: string; lifetimeMs: number }): Promise<Invitation> {
    const { lifetimeMs, ...fields } = invitation;
    const row = await this.database.prisma.invitation.create({ data: { ...fields, id: newId('invitation'), expiresAt: new Date(Date.now() + lifetimeMs) } });
    return invitationFromRow(row);
  }

  /** Latest first. */
  async list(teamId: string): Promise<Invitation[]> {
    const rows = await this.database.prisma.invitation.findMany({ where: { teamId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
    return rows.map(invitationFromRow);
  }

  /** False when the team has no such invitation. */
  async remove(teamId: string, invitationId: string): Promise<boolean> {
    const { count } = await this.database.prisma.invitation.deleteMany({ where: { id: invitationId, teamId } });
    return count === 1;
  }

  async findOpen(tokenHash: string): Promise<OpenInvitation | null> {
    const { prisma } = this.database;
    const row = await prisma.invitation.findFirst({ where: { tokenHash, acceptedAt: null, expiresAt: { gt: new Date() } }, include: { team: true } });
    if (!row) return null;
    const { id, teamId, email, team } = row;
    const hasAccount = (await prisma.user.count({ where: { email } })) > 0;
    return { id, teamId, teamName: team.name, email, role: row.role as Role, hasAccount };
  }

  /** For somebody who is signed in. A role that they already have in the team stays. */
  acceptAs(tokenHash: string, userId: string): Promise<AcceptInvitationOutcome> {
    return this.accept(tokenHash, async () => userId);
  }

  /** For somebody new: makes the account for the invited address, used once with the invitation, all or nothing. */
  async acceptWithNewAccount(tokenHash: string, account: { name: string; passwordHash: string }): Promise<AcceptInvitationOutcome> {
    try {
      return await this.accept(tokenHash, async (tx, email) => {
        const userId = newId('user');
        await tx.query('INSERT INTO "user" (id, email, name, password_hash) VALUES ($1, $2, $3, $4)', [userId, email, storableText(account.name), account.passwordHash]);
        return userId;
      });
    } catch (error) {
      if (violatesUnique(error, 'user_email_key')) return { outcome: 'account_exists' };
      throw error;
    }
  }

  private accept(tokenHash: string, findUser: (tx: Tx, email: string) => Promise<string>): Promise<AcceptInvitationOutcome> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rows } = await tx.query<{ team_id: string; email: string; role: Role }>(
        'UPDATE invitation SET accepted_at = now() WHERE token_hash = $1 AND accepted_at IS NULL AND expires_at > now() RETURNING team_id, email, role',
        [tokenHash],
      );
      const invitation = rows[0];
      if (!invitation) return { outcome: 'gone' };
      const userId = await findUser(tx, invitation.email);
      const membership = await tx.query<{ role: Role }>(
        `INSERT INTO membership (team_id, user_id, role) VALUES ($1, $2, $3)
         ON CONFLICT (team_id, user_id) DO UPDATE SET role = membership.role RETURNING role`,
        [invitation.team_id, userId, invitation.role],
      );
      return { outcome: 'accepted', teamId: invitation.team_id, userId, role: membership.rows[0]?.role ?? invitation.role };
    });
  }
}

function invitationFromRow(row: InvitationModel): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role as Role,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
  };
}
