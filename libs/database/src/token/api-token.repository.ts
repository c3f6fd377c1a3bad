import type { ApiToken, IdentityClass, ProjectRole, Role, TokenClaims, User } from '@chirality/contracts';
import type { Database, Tx } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { ApiTokenRow, MembershipRow, ProjectMemberRow, UserRow } from '../generated/rows';

type NewToken = {
  id: string;
  teamId: string;
  userId: string;
  /** The token that makes it, or the sign-in `familyId` of a person. */
  /** The sign-in is of the person who makes it: the owner, or the one who answers for the service account. */
  maker: { tokenId: string } | { familyId: string; userId: string };
  name: string;
  secretHash: string;
  identityClass: IdentityClass;
  claims: TokenClaims;
  mayMint: boolean;
  notBefore: Date | null;
  expiresAt: Date;
};

/** A token with the person in whose name it speaks, as of now. `role` is null for one who left the team. */
export interface KnownToken {
  token: ApiToken;
  user: User;
  role: Role | null;
  projectRoles: Map<string, ProjectRole>;
  isRevoked: boolean;
}

type ListedRow = ApiTokenRow & { owner_name: UserRow['name']; is_service: UserRow['is_service'] };
type KnownRow = ListedRow & {
  email: UserRow['email'];
  must_change_password: UserRow['must_change_password'];
  role: MembershipRow['role'] | null;
  parent_revoked_at: ApiTokenRow['revoked_at'];
  project_roles: Record<ProjectMemberRow['project_id'], ProjectMemberRow['role']>;
};

const KNOWN_SQL = `SELECT t.*, u.name AS owner_name, u.is_service, u.email, u.must_change_password,
    -- No one answers for a service account without an owner: it is suspended. Who made its token is in the team.
    CASE WHEN u.is_service AND (sa.owner_id IS NULL OR t.made_by_user_id IS NOT NULL AND made_by.user_id IS NULL)
      THEN NULL ELSE m.role END AS role, maker.revoked_at AS parent_revoked_at,
    coalesce((SELECT json_object_agg(pm.project_id, pm.role) FROM project_member pm WHERE pm.user_id = u.id), '{}')
      AS project_roles
  FROM api_token t JOIN "user" u ON u.id = t.user_id
  LEFT JOIN membership m ON m.team_id = t.team_id AND m.user_id = t.user_id AND m.joined_at <= t.created_at
  LEFT JOIN service_account sa ON sa.user_id = t.user_id
  LEFT JOIN membership made_by ON made_by.team_id = t.team_id AND made_by.user_id = t.made_by_user_id
    AND made_by.joined_at <= t.created_at AND made_by.role <> 'viewer'
  LEFT JOIN api_token maker ON maker.id = t.parent_id`;

/**
 * Orders making and revoking what is a user's, and what that user made. One that takes two of them takes them in the
 * order of the ids.
 */
export const LOCK_TOKENS_SQL = "SELECT pg_advisory_xact_lock(hashtextextended('api_token/' || $1, 0))";

/** Use is written at most once in this time. */
const USED_EVERY = "interval '1 minute'";

/** Tokens of programs. A value is known by its hash only. */
export class ApiTokenRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /**
   * Null where its maker, a token or a sign-in, was revoked meanwhile, or its person may not make any by now: a new one
   * never outlives its maker. The tokens of a person, and those that they made, are made and revoked one after the
   * other, so that a revocation finds all that came from what it revokes.
   */
  async create(token: NewToken): Promise<ApiToken | null> {
    const parentId = 'tokenId' in token.maker ? token.maker.tokenId : null;
    const [familyId, signedInId] =
      'familyId' in token.maker ? [token.maker.familyId, token.maker.userId] : [null, null];
    const isMade = await inTransaction(this.database.pool, async (tx) => {
      const madeById = signedInId ?? (await madeBy(tx, parentId)) ?? token.userId;
      // Statements before the one that looks, which then sees what was committed until it had the locks.
      for (const id of [...new Set([token.userId, madeById])].sort()) await tx.query(LOCK_TOKENS_SQL, [id]);
      const { rowCount } = await tx.query(
        `INSERT INTO api_token (id, team_id, user_id, parent_id, name, secret_hash, identity_class, claims, may_mint,
           not_before, expires_at, made_by_user_id)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $14
         WHERE EXISTS (SELECT 1 FROM membership WHERE team_id = $2 AND user_id = $14 AND role <> 'viewer')
           AND (EXISTS (SELECT 1 FROM api_token WHERE id = $4 AND user_id = $3 AND revoked_at IS NULL)
             OR EXISTS (SELECT 1 FROM refresh_family WHERE id = $12 AND user_id = $13 AND revoked_at IS NULL))`,
        [
          token.id,
          token.teamId,
          token.userId,
          parentId,
          storableText(token.name),
          token.secretHash,
          token.identityClass,
          JSON.stringify(token.claims),
          token.mayMint,
          token.notBefore,
          token.expiresAt,
          familyId,
          signedInId,
          madeById,
        ],
      );
      return rowCount === 1;
    });
    return isMade ? ((await this.findById(token.id))?.token ?? null) : null;
  }

  /**
   * In force, or expired within the last month; of that person and their service accounts, and all of the teams that
   * are named. Latest first.
   */
  async list(userId: string, managedTeamIds: readonly string[]): Promise<ApiToken[]> {
    const { rows } = await this.database.pool.query<ListedRow>(
      `SELECT t.*, u.name AS owner_name, u.is_service FROM api_token t JOIN "user" u ON u.id = t.user_id
       WHERE (t.user_id = $1 OR t.team_id = ANY($2)
         OR t.user_id IN (SELECT user_id FROM service_account WHERE owner_id = $1)) AND t.revoked_at IS NULL
         AND t.expires_at > now() - interval '30 days'
       ORDER BY t.created_at DESC, t.id DESC LIMIT 1000`,
      [userId, managedTeamIds],
    );
    return rows.map(tokenFromRow);
  }

  async countInForce(userId: string): Promise<number> {
    const { rows } = await this.database.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM api_token WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > now()',
      [userId],
    );
    return rows[0]?.count ?? 0;
  }

  findByHash(secretHash: string): Promise<KnownToken | null> {
    return this.find('t.secret_hash', secretHash, 'find_token_by_hash');
  }

  findById(id: string): Promise<KnownToken | null> {
    return this.find('t.id', id, 'find_token_by_id');
  }

  /** Notes that it was used, once a minute. */
  async noteUse(id: string): Promise<void> {
    await this.database.pool.query(
      `UPDATE api_token SET last_used_at = now()
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - ${USED_EVERY})`,
      [id],
    );
  }

  /** Ends it and all that came from it, in one statement. The ids of those that were in force; each has an owner. */
  async revoke(id: string): Promise<{ id: string; userId: string }[]> {
    const owner = (await this.findById(id))?.user.id;
    return owner === undefined ? [] : this.revokeFrom(owner, 't.id = $1', [id]);
  }

  /** All of a person in a team, with what came from them, and what they made for service accounts. */
  revokeOfMember(teamId: string, userId: string): Promise<{ id: string; userId: string }[]> {
    return this.revokeFrom(userId, 't.team_id = $1 AND (t.user_id = $2 OR t.made_by_user_id = $2)', [teamId, userId]);
  }

  /** What a person made for service accounts of a team; their own tokens do what their role of now may. */
  revokeMadeForAccounts(teamId: string, userId: string): Promise<{ id: string; userId: string }[]> {
    return this.revokeFrom(userId, 't.team_id = $1 AND t.made_by_user_id = $2 AND t.user_id <> $2', [teamId, userId]);
  }

  /** All of a person, and what they made for service accounts, in every team. */
  revokeOfUser(userId: string): Promise<{ id: string; userId: string }[]> {
    return this.revokeFrom(userId, '(t.user_id = $1 OR t.made_by_user_id = $1)', [userId]);
  }

  private revokeFrom(userId: string, first: string, values: string[]): Promise<{ id: string; userId: string }[]> {
    return inTransaction(this.database.pool, async (tx) => {
      await tx.query(LOCK_TOKENS_SQL, [userId]);
      const { rows } = await tx.query<Pick<ApiTokenRow, 'id' | 'user_id'>>(
        `WITH RECURSIVE ended AS (
           SELECT t.id FROM api_token t WHERE ${first}
           UNION SELECT child.id FROM api_token child JOIN ended ON child.parent_id = ended.id
         )
         UPDATE api_token SET revoked_at = now() WHERE id IN (SELECT id FROM ended) AND revoked_at IS NULL
         RETURNING id, user_id`,
        values,
      );
      return rows.map((row) => ({ id: row.id, userId: row.user_id }));
    });
  }

  private async find(column: string, value: string, name: string): Promise<KnownToken | null> {
    const { rows } = await this.database.pool.query<KnownRow>({
      name,
      text: `${KNOWN_SQL} WHERE ${column} = $1`,
      values: [value],
    });
    const [row] = rows;
    if (!row) return null;
    return {
      token: tokenFromRow(row),
      user: { id: row.user_id, email: row.email, name: row.owner_name, mustChangePassword: row.must_change_password },
      role: row.role,
      projectRoles: new Map(Object.entries(row.project_roles)),
      // Processes of an earlier release may have made one while its maker was being revoked.
      isRevoked: row.revoked_at !== null || row.parent_revoked_at !== null,
    };
  }
}

/** Of a token that was made before this was kept, its owner. */
async function madeBy(tx: Tx, tokenId: string | null): Promise<string | null> {
  const { rows } = await tx.query<{ made_by: string }>(
    'SELECT coalesce(made_by_user_id, user_id) AS made_by FROM api_token WHERE id = $1',
    [tokenId],
  );
  return rows[0]?.made_by ?? null;
}

function tokenFromRow(row: ListedRow): ApiToken {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    owner: { userId: row.user_id, name: row.owner_name },
    isOfServiceAccount: row.is_service,
    identityClass: row.identity_class,
    claims: row.claims,
    mayMint: row.may_mint,
    parentId: row.parent_id,
    notBefore: row.not_before?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
