import type { Invitation, InvitationPreview, Role } from '@chirality/contracts';
import { newId } from '@chirality/domain';
import type { Database, Tx } from '../connection/database';
import { violatesUnique } from '../connection/database-error';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { InvitationRow, MembershipRow, TeamRow, UserRow } from '../generated/rows';

export type AcceptInvitationOutcome =
  | { outcome: 'accepted'; teamId: string; userId: string; role: Role }
  /** Unknown, used, withdrawn or expired: one answer for all. */
  | { outcome: 'gone' }
  /** The invited address has an account: its user has to sign in to accept. */
  | { outcome: 'account_exists' };

/** An open invitation as the page behind the link shows it. */
interface OpenInvitation {
  id: string;
  teamId: string;
  teamName: string;
  email: string;
  role: Role;
  hasAccount: boolean;
}

/**
 * Whether the invitation `i` can be accepted: neither used nor expired, and by a member who may still invite. Who was
 * removed leaves no door behind.
 */
const IS_OPEN = `i.accepted_at IS NULL AND i.expires_at > now()
  AND EXISTS (SELECT 1 FROM membership m WHERE m.team_id = i.team_id AND m.user_id = i.invited_by_id
    AND m.role IN ('owner', 'admin'))`;

const COLUMNS = 'id, email, role, created_at, expires_at, accepted_at';
type ListedRow = Pick<InvitationRow, 'id' | 'email' | 'role' | 'created_at' | 'expires_at' | 'accepted_at'>;

type PreviewRow = Pick<InvitationRow, 'email' | 'role' | 'expires_at'> & {
  team_name: TeamRow['name'];
  inviter_name: UserRow['name'] | null;
  is_used: boolean;
  is_expired: boolean;
  is_open: boolean;
  has_account: boolean;
};

type OpenRow = Pick<InvitationRow, 'id' | 'team_id' | 'email' | 'role'> & {
  team_name: TeamRow['name'];
  has_account: boolean;
};

export class InvitationRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  async create(invitation: {
    teamId: string;
    email: string;
    role: Role;
    invitedById: string;
    tokenHash: string;
    lifetimeMs: number;
  }): Promise<Invitation> {
    const { lifetimeMs, ...fields } = invitation;
    const { rows } = await this.database.pool.query<ListedRow>(
      `INSERT INTO invitation (id, team_id, email, role, invited_by_id, token_hash, expires_at) VALUES ($1, $2, $3, $4,
        $5, $6, now() + $7 * interval '1 millisecond')
       RETURNING ${COLUMNS}`,
      [newId('invitation'), fields.teamId, fields.email, fields.role, fields.invitedById, fields.tokenHash, lifetimeMs],
    );
    return invitationFromRow(rows[0] as ListedRow);
  }

  /**
   * Those that were accepted, that are open and that grew too old, not those of people who may no longer invite;
   * latest first.
   */
  async list(teamId: string): Promise<Invitation[]> {
    const { rows } = await this.database.pool.query<ListedRow>(
      `SELECT ${COLUMNS} FROM invitation i WHERE i.team_id = $1 AND (i.accepted_at IS NOT NULL OR i.expires_at <= now()
        OR (${IS_OPEN})) ORDER BY i.created_at DESC, i.id DESC`,
      [teamId],
    );
    return rows.map(invitationFromRow);
  }

  /**
   * What the link shows, also once it is used or too old; null for an unknown one and for one whose inviter may no
   * longer invite.
   */
  async preview(tokenHash: string): Promise<InvitationPreview | null> {
    const { rows } = await this.database.pool.query<PreviewRow>(
      `SELECT t.name AS team_name, u.name AS inviter_name, i.email, i.role, i.expires_at, i.accepted_at
        IS NOT NULL AS is_used, i.expires_at <= now() AS is_expired, ${IS_OPEN} AS is_open,
         EXISTS (SELECT 1 FROM "user" a WHERE a.email = i.email) AS has_account
       FROM invitation i JOIN team t ON t.id = i.team_id LEFT JOIN "user" u ON u.id = i.invited_by_id
         WHERE i.token_hash = $1`,
      [tokenHash],
    );
    const [row] = rows;
    const state = row?.is_used ? 'used' : row?.is_expired ? 'expired' : row?.is_open ? 'open' : null;
    if (!row || state === null) return null;
    return {
      state,
      teamName: row.team_name,
      inviterName: row.inviter_name,
      email: row.email,
      role: row.role,
      expiresAt: row.expires_at.toISOString(),
      hasAccount: row.has_account,
    };
  }

  /**
   * A new token and a new week for an open invitation, made by `invitedById` from now on; the earlier link is void.
   * Null when there is none.
   */
  async renew(
    teamId: string,
    invitationId: string,
    { tokenHash, invitedById, lifetimeMs }: { tokenHash: string; invitedById: string; lifetimeMs: number },
  ): Promise<Invitation | null> {
    const { rows } = await this.database.pool.query<ListedRow>(
      `UPDATE invitation SET token_hash = $3, invited_by_id = $4, expires_at = now() + $5 * interval '1 millisecond'
        WHERE team_id = $1 AND id = $2 AND accepted_at IS NULL RETURNING ${COLUMNS}`,
      [teamId, invitationId, tokenHash, invitedById, lifetimeMs],
    );
    return rows[0] ? invitationFromRow(rows[0]) : null;
  }

  /** False when the team has no such invitation. */
  async remove(teamId: string, invitationId: string): Promise<boolean> {
    const { count } = await this.database.prisma.invitation.deleteMany({ where: { id: invitationId, teamId } });
    return count === 1;
  }

  async findOpen(tokenHash: string): Promise<OpenInvitation | null> {
    const { rows } = await this.database.pool.query<OpenRow>(
      `SELECT i.id, i.team_id, t.name AS team_name, i.email, i.role, EXISTS (SELECT 1 FROM "user" u
        WHERE u.email = i.email) AS has_account
       FROM invitation i JOIN team t ON t.id = i.team_id WHERE i.token_hash = $1 AND ${IS_OPEN}`,
      [tokenHash],
    );
    const [row] = rows;
    return row
      ? {
          id: row.id,
          teamId: row.team_id,
          teamName: row.team_name,
          email: row.email,
          role: row.role,
          hasAccount: row.has_account,
        }
      : null;
  }

  /** For a signed-in user. A role that they already have in the team stays. */
  acceptAs(tokenHash: string, userId: string): Promise<AcceptInvitationOutcome> {
    return this.accept(tokenHash, async () => userId);
  }

  /** For a new user: creates the account for the invited address and uses the invitation, all or nothing. */
  async acceptWithNewAccount(
    tokenHash: string,
    account: { name: string; passwordHash: string },
  ): Promise<AcceptInvitationOutcome> {
    try {
      return await this.accept(tokenHash, async (tx, email) => {
        const userId = newId('user');
        await tx.query('INSERT INTO "user" (id, email, name, password_hash) VALUES ($1, $2, $3, $4)', [
          userId,
          email,
          storableText(account.name),
          account.passwordHash,
        ]);
        return userId;
      });
    } catch (error) {
      if (violatesUnique(error, 'user_email_key')) return { outcome: 'account_exists' };
      throw error;
    }
  }

  private accept(
    tokenHash: string,
    findUser: (tx: Tx, email: string) => Promise<string>,
  ): Promise<AcceptInvitationOutcome> {
    return inTransaction(this.database.pool, async (tx) => {
      const { rows } = await tx.query<Pick<InvitationRow, 'team_id' | 'email' | 'role'>>(
        `UPDATE invitation i SET accepted_at = now() WHERE i.token_hash = $1 AND ${IS_OPEN} RETURNING i.team_id,
          i.email, i.role`,
        [tokenHash],
      );
      const invitation = rows[0];
      if (!invitation) return { outcome: 'gone' };
      const userId = await findUser(tx, invitation.email);
      const membership = await tx.query<Pick<MembershipRow, 'role'>>(
        `INSERT INTO membership (team_id, user_id, role) VALUES ($1, $2, $3)
         ON CONFLICT (team_id, user_id) DO UPDATE SET role = membership.role RETURNING role`,
        [invitation.team_id, userId, invitation.role],
      );
      return {
        outcome: 'accepted',
        teamId: invitation.team_id,
        userId,
        role: membership.rows[0]?.role ?? invitation.role,
      };
    });
  }
}

function invitationFromRow(row: ListedRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    acceptedAt: row.accepted_at?.toISOString() ?? null,
  };
}
